import { html } from "hono/html";
import type { Html } from "./html.ts";
import type { NavLink } from "./page.ts";

/** One of several panels; `id` is unique in the page. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  readonly main: Html;
}

/**
 * Shows panels of which one is visible at a time. Without JavaScript all are, each below its heading. Refuses: never.
 * Source: WAI-ARIA APG, tabs.
 */
export function tabs(label: string, panels: readonly Panel[]): Html {
  return html`<ds-tabs><div class="tabs" role="tablist" aria-label="${label}">${panels.map(
    ({ id, title }, place) =>
      html`<button type="button" role="tab" id="${id}-tab" aria-controls="${id}" aria-selected="${place === 0}"${place > 0 && html` tabindex="-1"`}>${title}</button>`,
  )}</div>${panels.map(
    ({ id, title, main }) =>
      html`<section class="stack" id="${id}" role="tabpanel" aria-labelledby="${id}-tab" tabindex="0"><h3>${title}</h3>${main}</section>`,
  )}</ds-tabs>`;
}

/** Shows the parts of a page that each have an address of their own. Refuses: never. */
export function tabLinks(label: string, links: readonly NavLink[]): Html {
  return html`<nav class="tabs" aria-label="${label}">${links.map(
    ({ href, text, current }) => html`<a href="${href}"${current && html` aria-current="page"`}>${text}</a>`,
  )}</nav>`;
}
