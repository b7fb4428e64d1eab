import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** Shows a description of the document: paragraphs, with code between backticks. Refuses: never. */
export function prose(text: string): Html {
  return html`${text.split("\n\n").map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

/** Shows a line of text with its code. Refuses: never. */
export function inline(text: string): Html {
  return html`${text.split("`").map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Shows a value as a reader writes it: JSON over several lines, or a text unchanged. Refuses: never. */
export function sample(value: unknown): Html {
  const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
  return html`<pre class="wrapped"><code>${text}</code></pre>`;
}
