import { html } from "hono/html";
import type { Html } from "./html.ts";

/** Holds the place of `rows` rows that load, and says so to screen readers. Refuses: never. */
export function skeleton(rows: number, what: string): Html {
  return html`<div class="skeleton" role="status"><span class="spoken">Loading ${what}</span>${Array.from(
    { length: rows },
    () => html`<div aria-hidden="true"><i></i><span></span><span></span></div>`,
  )}</div>`;
}
