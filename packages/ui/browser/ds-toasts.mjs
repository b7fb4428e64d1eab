// <ds-toasts>: short messages at the lower edge. `show(text, kind)` adds one. One of kind "bad" stays until it is
// closed; the others leave after a while, unless the pointer or the focus is on them (WCAG 2.2.1).

const SHOWN_FOR_MS = 8_000;
const MOST = 4;

class DsToasts extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("button")) target.closest(".toast")?.remove();
    });
    for (const toast of this.querySelectorAll(".toast")) this.#leaveLater(toast);
  }

  /**
   * @param {string} text
   * @param {"ok" | "warn" | "bad" | "plain"} [kind]
   */
  show(text, kind = "plain") {
    const pattern = this.querySelector("template")?.content.querySelector(".toast");
    const toast = pattern?.cloneNode(true);
    if (!(toast instanceof HTMLElement)) return;
    toast.className = `toast ${kind}`;
    const words = toast.querySelector("span");
    if (words) words.textContent = text;
    this.append(toast);
    const shown = this.querySelectorAll(":scope > .toast");
    if (shown.length > MOST) shown[0]?.remove();
    this.#leaveLater(toast);
  }

  /** @param {Element} toast */
  #leaveLater(toast) {
    if (toast.classList.contains("bad")) return;
    setTimeout(() => {
      if (toast.matches(":hover, :focus-within")) this.#leaveLater(toast);
      else toast.remove();
    }, SHOWN_FOR_MS);
  }
}

customElements.define("ds-toasts", DsToasts);
