import { html } from "hono/html";
import type { Html } from "./html.ts";

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];
const DAYS_IN_WORDS = 30;

/**
 * Shows a time as the distance from now, with the exact time as a tooltip.
 *
 * In: ISO 8601, UTC; `nowMs` since the epoch. Beyond 30 days the date alone. Refuses: never.
 */
export function moment(iso: string, nowMs: number): Html {
  return html`<time datetime="${iso}" title="${iso}">${toWords(Date.parse(iso) - nowMs) ?? iso.slice(0, 10)}</time>`;
}

function toWords(distanceMs: number): string | undefined {
  const [unit, ms] = STEPS.find(([, size]) => Math.abs(distanceMs) >= size) ?? ["second", 1_000];
  const count = Math.trunc(distanceMs / ms);
  if (unit === "day" && Math.abs(count) > DAYS_IN_WORDS) return undefined;
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(count, unit);
}
