import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";

/** A place that a menu leads to. */
export interface MenuEntry {
  readonly href: string;
  readonly content: Html | string;
  /** Whether the reader is there. */
  readonly current: boolean;
}

/** A button with a list of places. `button` is what the button shows; `more` stands below the list. */
export interface Menu {
  readonly id: string;
  readonly button: Html | string;
  /** The name of the list. */
  readonly title: string;
  readonly entries: readonly MenuEntry[];
  readonly more?: Html | undefined;
}

/**
 * Shows a button that opens a list of links. It works without a script: the browser opens the list, closes it on Escape
 * or a press elsewhere, and returns the focus. Refuses: never. Source: HTML, the popover attribute.
 */
export function menu({ id, button, title, entries, more }: Menu): Html {
  return html`<div class="menu"><button type="button" class="quiet" popovertarget="${id}">${button}${icon("chevron-down")}</button>
<div id="${id}" popover><p class="muted small" id="${id}-title">${title}</p>
<ul aria-labelledby="${id}-title">${entries.map(
    ({ href, content, current }) =>
      html`<li><a href="${href}"${current && html` aria-current="true"`}>${content}${current && icon("check")}</a></li>`,
  )}</ul>${more && html`<div class="more">${more}</div>`}</div></div>`;
}
