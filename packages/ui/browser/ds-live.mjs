// <ds-live id="..." from="/page" every="2">: keeps its content equal to the server's. It requests that page every so
// many seconds and replaces itself with the element of the same id. When the answer comes from another address, the
// browser goes there. It pauses while the page is hidden and while its button is off (WCAG 2.2.2), and does not touch
// an element that has the focus. What the reader has unfolded stays so. While the server does not answer, the element
// with `data-lost` of this id says so.

const LONGEST_WAIT_S = 30;
/** One failure may be a restart. */
const LOST_AFTER = 2;

class DsLive extends HTMLElement {
  #timer = 0;
  #failures = 0;
  #isPaused = false;

  connectedCallback() {
    this.#offerPause();
    this.#later();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  get #address() {
    return new URL(this.getAttribute("from") ?? "", location.href).href;
  }

  #offerPause() {
    const button = document.querySelector(`button[data-pauses="${this.id}"]`);
    if (!(button instanceof HTMLButtonElement)) return;
    button.hidden = false;
    const [pause, resume] = button.children;
    button.addEventListener("click", () => {
      this.#isPaused = !this.#isPaused;
      // A button with two texts says what the next press does; one with a single text says whether it is pressed.
      pause?.toggleAttribute("hidden", this.#isPaused && resume !== undefined);
      resume?.toggleAttribute("hidden", !this.#isPaused);
      if (resume === undefined) button.setAttribute("aria-pressed", String(this.#isPaused));
    });
  }

  #later() {
    const seconds = Math.min(Number(this.getAttribute("every")) * 2 ** this.#failures, LONGEST_WAIT_S);
    this.#timer = setTimeout(() => this.#look(), seconds * 1000);
  }

  #look() {
    if (this.#isPaused || document.hidden) return this.#later();
    // Unlike fetch it returns a document, so that no text becomes markup here.
    const request = new XMLHttpRequest();
    request.open("GET", this.#address);
    request.responseType = "document";
    request.timeout = 10_000;
    request.onloadend = () => this.#take(request);
    request.send();
  }

  /** @param {XMLHttpRequest} request */
  #take(request) {
    const found = request.responseXML?.getElementById(this.id);
    if (request.status === 200 && request.responseURL !== this.#address) {
      location.assign(request.responseURL);
      return;
    }
    this.#failures = request.status === 200 && found ? 0 : this.#failures + 1;
    document.querySelector(`[data-lost="${this.id}"]`)?.toggleAttribute("hidden", this.#failures < LOST_AFTER);
    for (const open of this.querySelectorAll("details[open][id]"))
      found?.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
    const isInUse = this.contains(document.activeElement);
    if (request.status === 200 && found && !isInUse && this.innerHTML !== found.innerHTML)
      this.replaceChildren(...found.childNodes);
    this.#later();
  }
}

customElements.define("ds-live", DsLive);
