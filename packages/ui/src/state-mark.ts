import { html } from "hono/html";
import type { Html } from "./html.ts";
import { type IconName, icon } from "./icon.ts";

/** The tone of a state: good, warning, bad, off, or neutral. */
export type StateKind = "ok" | "warn" | "bad" | "off" | "plain";

const NOTICE_ICONS: Readonly<Record<Exclude<StateKind, "off">, IconName>> = {
  ok: "check-circle",
  warn: "exclamation-triangle",
  bad: "exclamation-circle",
  plain: "information-circle",
};

/** Shows a state by a dot and a word or a short sentence, never by colour alone. Refuses: never. Source: WCAG 2.2, 1.4.1. */
export function stateMark(kind: StateKind, word: Html | string): Html {
  return html`<span class="state ${kind}">${word}</span>`;
}

/** Shows a short fact about something, such as a method or a level, in a chip. Refuses: never. */
export function chip(kind: StateKind, text: string): Html {
  return html`<span class="chip ${kind}">${text}</span>`;
}

/** Shows a notice. Screen readers announce `bad` at once. Refuses: never. */
export function notice(kind: Exclude<StateKind, "off">, content: Html | string): Html {
  return html`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${icon(NOTICE_ICONS[kind])}<div>${content}</div></div>`;
}
