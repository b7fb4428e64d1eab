import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";
import { notice } from "./state-mark.ts";

/** A part of a page that follows the server: `from` is the address of the page, `everySeconds` how often it looks. */
export interface LivePart {
  readonly id: string;
  readonly from: string;
  readonly everySeconds: number;
  readonly main: Html;
  /** Shown while the server does not answer. */
  readonly lost: string;
}

/** Shows a part that stays equal to the server's. Without JavaScript it is what it was when the page was opened. Refuses: never. */
export function livePart({ id, from, everySeconds, main, lost }: LivePart): Html {
  return html`<div data-lost="${id}" hidden>${notice("warn", lost)}</div><ds-live id="${id}" from="${from}" every="${everySeconds}">${main}</ds-live>`;
}

/** Shows the button that stops and resumes a live part. Refuses: never. Source: WCAG 2.2, 2.2.2. */
export function pauseButton(id: string, words: { readonly pause: string; readonly resume: string }): Html {
  return html`<button type="button" class="plain small" data-pauses="${id}" hidden><span class="row tight">${icon("pause")}${words.pause}</span><span class="row tight" hidden>${icon("play")}${words.resume}</span></button>`;
}
