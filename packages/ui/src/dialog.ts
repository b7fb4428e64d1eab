import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";

/** A dialog: `actions` are its buttons, the safe one first. */
export interface Dialog {
  readonly id: string;
  readonly title: string;
  readonly main: Html;
  readonly actions: Html;
}

/**
 * Shows a dialog, closed until a button with the id in `opens` opens it. The browser keeps the focus in it, closes it on
 * Escape, and returns the focus. Refuses: never. Source: WAI-ARIA APG, dialog (modal).
 */
export function dialog({ id, title, main, actions }: Dialog): Html {
  return html`<dialog id="${id}" aria-labelledby="${id}-title"><div class="sheet"><div class="head level"><h2 id="${id}-title">${title}</h2>
<button type="button" class="plain only" commandfor="${id}" command="close">${icon("x-mark")}<span class="spoken">Close</span></button></div>
<div class="stack">${main}</div>
<div class="actions">${actions}</div></div></dialog>`;
}

/** Shows the button that closes a dialog and does nothing else. Refuses: never. */
export function closeButton(id: string, text: string): Html {
  return html`<button type="button" class="quiet" commandfor="${id}" command="close">${text}</button>`;
}
