// <ds-copy>: copies the text of its <code> to the clipboard and says so. Without JavaScript its button stays hidden.

const SAID_FOR_MS = 4_000;

class DsCopy extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("button");
    const code = this.querySelector("code");
    const status = this.querySelector("[role=status]");
    if (!button || !code || !status || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? "");
        status.textContent = "Copied";
      } catch {
        getSelection()?.selectAllChildren(code);
        status.textContent = "Not allowed here: it is selected, copy it by hand";
      }
      setTimeout(() => {
        status.textContent = "";
      }, SAID_FOR_MS);
    });
  }
}

customElements.define("ds-copy", DsCopy);
