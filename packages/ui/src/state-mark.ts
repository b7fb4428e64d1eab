import { html } from "hono/html";
import type { Html } from "./html.ts";

/** How a state is to be taken: good, to be watched, bad, switched off, or none of these. */
export type StateKind = "ok" | "warn" | "bad" | "off" | "plain";

/** Shows a state by a dot and a word, never by colour alone. Refuses: never. Source: WCAG 2.2, 1.4.1. */
export function stateMark(kind: StateKind, word: string): Html {
  return html`<span class="state ${kind}">${word}</span>`;
}

/** Says something that the reader must not miss. `bad` is announced at once where a page is read aloud. Refuses: never. */
export function notice(kind: Exclude<StateKind, "off">, content: Html | string): Html {
  return html`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${content}</div>`;
}
