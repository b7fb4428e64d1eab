import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

const LONGEST = 120;
const LONGEST_RAW = 16_384;
/** More than any script stacks on one letter; further ones are drawn over other lines. */
const MARKS = /(\p{M}{2})(\p{M}+)/gu;

/**
 * Shows a text that an author chose: hidden characters as code points, at most 120 characters, in a direction of its own, so that it
 * cannot pass as a part of the page. Refuses: never. Source: UAX #9; UTS #39.
 */
export function shownText(text: string): Html {
  return html`<bdi>${toPlainText(text, LONGEST)}</bdi>`;
}

/** Gives such a text as plain text, for a title or a heading. Refuses: never. */
export function toPlainText(text: string, longest: number = LONGEST): string {
  // Cut first: making 10,000 characters visible could be ten times as much work and text.
  const cut = [...text.slice(0, longest * 2)].slice(0, longest).join("");
  const shown = visibleText(cut.toWellFormed())
    .replace(/[\n\t]/g, " ")
    .replace(MARKS, (_all, first: string, rest: string) => `${first}[+${rest.length} marks]`);
  return cut.length < text.length ? `${shown} … (${text.length} characters)` : shown;
}

/** Shows a signed text as it is, with hidden characters as code points. Refuses: never. */
export function rawText(text: string): Html {
  const shown = visibleText(text.slice(0, LONGEST_RAW)).replace(MARKS, "$1[+ marks]");
  return html`<pre class="wrapped" tabindex="0"><code>${shown}</code></pre>`;
}
