import { html } from "hono/html";
import type { Html } from "./html.ts";
import { ILLUSTRATIONS, type IllustrationName } from "./shapes/illustration-paths.ts";

/** The content of a place that has none yet: why, and the one act that changes it. */
export interface EmptyState {
  readonly illustration: IllustrationName;
  readonly title: string;
  readonly text: Html | string;
  readonly action?: Html;
}

/** Shows that a list or a page has no content, and what to do. Refuses: never. */
export function emptyState({ illustration, title, text, action }: EmptyState): Html {
  return html`<div class="nothing"><svg class="illustration" viewBox="0 0 160 96" aria-hidden="true">${ILLUSTRATIONS[
    illustration
  ].map(({ tone, d }) => html`<path class="${tone}" d="${d}"/>`)}</svg>
<p class="title">${title}</p><p class="muted">${text}</p>${action}</div>`;
}
