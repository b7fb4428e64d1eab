// <ds-tabs>: shows one of its panels at a time. The arrow keys, Home and End move between the tabs.

const MOVES = new Map([
  ["ArrowRight", (/** @type {number} */ at) => at + 1],
  ["ArrowLeft", (/** @type {number} */ at) => at - 1],
  ["Home", () => 0],
  ["End", () => -1],
]);

class DsTabs extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", ({ target }) => {
      const at = this.#tabs.findIndex((tab) => target instanceof Node && tab.contains(target));
      if (at >= 0) this.#show(at);
    });
    this.addEventListener("keydown", (event) => {
      const tabs = this.#tabs;
      const at = event.target instanceof HTMLElement ? tabs.indexOf(event.target) : -1;
      const move = MOVES.get(event.key);
      if (at < 0 || !move) return;
      event.preventDefault();
      const next = (move(at) + tabs.length) % tabs.length;
      this.#show(next);
      tabs[next]?.focus();
    });
    this.#show(0);
  }

  /** @returns {HTMLElement[]} */
  get #tabs() {
    return [...this.querySelectorAll(":scope > [role=tablist] > [role=tab]")].filter(
      (tab) => tab instanceof HTMLElement,
    );
  }

  /** @param {number} chosen */
  #show(chosen) {
    for (const [at, tab] of this.#tabs.entries()) {
      tab.setAttribute("aria-selected", String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = at !== chosen;
    }
    this.toggleAttribute("data-ready", true);
  }
}

customElements.define("ds-tabs", DsTabs);
