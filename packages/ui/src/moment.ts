import { html } from "hono/html";
import type { Html } from "./html.ts";
import { distanceWords } from "./shapes/distance-words.ts";

/**
 * Shows a time as the distance from now, with the exact time as a tooltip.
 *
 * In: ISO 8601, UTC; `nowMs` since the epoch. Beyond 30 days the date alone. Refuses: never.
 */
export function moment(iso: string, nowMs: number): Html {
  return html`<time datetime="${iso}" title="${iso}">${distanceWords(iso, nowMs)}</time>`;
}
