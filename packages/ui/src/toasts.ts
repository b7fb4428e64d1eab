import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";
import type { StateKind } from "./state-mark.ts";

/** A short message about what has just happened. */
export interface Toast {
  readonly kind: Exclude<StateKind, "off">;
  readonly text: string;
}

/**
 * Shows the place of toasts at the lower edge, with those that the page starts with. Screen readers announce each. A
 * script adds one by `show(text, kind)`; one of kind `bad` stays until it is closed, the others leave after 8 seconds
 * unless the pointer or the focus is on them. Refuses: never. Source: WCAG 2.2, 2.2.1 and 4.1.3.
 */
export function toasts(first: readonly Toast[] = []): Html {
  return html`<ds-toasts role="status" aria-live="polite"><template>${toast({ kind: "plain", text: "" })}</template>${first.map(toast)}</ds-toasts>`;
}

function toast({ kind, text }: Toast): Html {
  return html`<div class="toast ${kind}"><span>${text}</span><button type="button" class="plain only small">${icon("x-mark")}<span class="spoken">Close</span></button></div>`;
}
