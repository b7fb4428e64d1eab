import { html } from "hono/html";
import type { Html } from "./html.ts";

/** Shows a text to copy exactly, with a copy button where JavaScript runs. Refuses: never. */
export function copyable(text: string, what: string): Html {
  return html`<ds-copy class="row"><code>${text}</code><button type="button" class="quiet small" hidden>Copy<span class="spoken"> ${what}</span></button><span role="status"></span></ds-copy>`;
}

/** Shows a text of several lines to copy exactly. Refuses: never. */
export function copyableBlock(text: string, what: string): Html {
  return html`<ds-copy class="block"><pre class="wrapped"><code>${text}</code></pre><button type="button" class="quiet small" hidden>Copy<span class="spoken"> ${what}</span></button><span role="status"></span></ds-copy>`;
}

/** Shows a text that is visible only once, large enough to read off. Refuses: never. */
export function shownOnce(text: string, what: string): Html {
  return html`<ds-copy class="stack"><code class="once" tabindex="0" aria-label="${what}">${text}</code><span class="row"><button type="button" hidden>Copy<span class="spoken"> ${what}</span></button><span role="status"></span></span></ds-copy>`;
}

/** Shows an identifier: the page contains all of it and shortens it visually. Refuses: never. Source: decision X1. */
export function identifier(text: string): Html {
  return html`<span class="short mono" title="${text}">${text}</span>`;
}
