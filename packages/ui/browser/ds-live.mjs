// <ds-live id="..." from="/page" every="2">: keeps its content equal to the server's. It requests that page every so
// many seconds and replaces itself with the element of the same id. When the answer comes from another address, the
// browser goes there. It pauses while the page is hidden and while its button is off (WCAG 2.2.2), and does not touch
// an element that has the focus.

const LONGEST_WAIT_S = 30;

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
    button.addEventListener("click", () => {
      this.#isPaused = !this.#isPaused;
      button.setAttribute("aria-pressed", String(this.#isPaused));
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
    const isInUse = this.contains(document.activeElement);
    if (found && !isInUse && this.innerHTML !== found.innerHTML) this.replaceChildren(...found.childNodes);
    this.#later();
  }
}

customElements.define("ds-live", DsLive);
