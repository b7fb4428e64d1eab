import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";

const TAIL_CHARACTERS = 6;
/** Splitting is safe within these characters alone: a combining mark stays with its letter. */
const PLAIN = /^[\x21-\x7e]{16,}$/;

/** Shows a text to copy exactly, with a copy button where JavaScript runs. Refuses: never. */
export function copyable(text: string, what: string): Html {
  return html`<ds-copy class="row"><code>${text}</code>${copyButton(what)}<span role="status"></span></ds-copy>`;
}

/** Shows a text of several lines to copy exactly. Refuses: never. */
export function copyableBlock(text: string, what: string): Html {
  return html`<ds-copy class="block"><pre class="wrapped"><code>${text}</code></pre>${copyButton(what)}<span role="status"></span></ds-copy>`;
}

/** Shows a text that is visible only once, large enough to read off. Refuses: never. */
export function shownOnce(text: string, what: string): Html {
  return html`<ds-copy class="stack"><code class="once" tabindex="0" aria-label="${what}">${text}</code><span class="row"><button type="button" class="quiet" hidden>${icon("clipboard-document")}Copy<span class="spoken"> ${what}</span></button><span role="status"></span></span></ds-copy>`;
}

/** Shows an identifier: the page contains all of it and shortens it visually, in the middle. Refuses: never. Source: decision X1. */
export function identifier(text: string): Html {
  return html`<span class="short mono" title="${text}">${shortened(text)}</span>`;
}

/** Shows an identifier as `identifier` does, with a button that copies all of it. Refuses: never. Source: decision X1. */
export function copyableIdentifier(text: string, what: string): Html {
  return html`<ds-copy class="tight row"><code class="short" title="${text}">${shortened(text)}</code><button type="button" class="plain only small" hidden>${icon("clipboard-document")}<span class="spoken">Copy ${what}</span></button><span role="status"></span></ds-copy>`;
}

function copyButton(what: string): Html {
  return html`<button type="button" class="quiet small" hidden>${icon("clipboard-document")}Copy<span class="spoken"> ${what}</span></button>`;
}

function shortened(text: string): Html {
  if (!PLAIN.test(text)) return html`<span>${text}</span>`;
  return html`<span>${text.slice(0, -TAIL_CHARACTERS)}</span><span>${text.slice(-TAIL_CHARACTERS)}</span>`;
}
