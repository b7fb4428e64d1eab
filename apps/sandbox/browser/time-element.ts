import { element } from "./element.ts";

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];
const MAX_DAYS = 30;

/** Shows a time as its distance from now, with the exact time as a tooltip. In: ISO 8601. Refuses: never. */
export function timeElement(iso: string): HTMLElement {
  const distanceMs = Date.parse(iso) - Date.now();
  const [unit, ms] = STEPS.find(([, size]) => Math.abs(distanceMs) >= size) ?? ["second", 1_000];
  const count = Math.trunc(distanceMs / ms);
  const isLong = Number.isNaN(count) || (unit === "day" && Math.abs(count) > MAX_DAYS);
  const words = isLong ? iso.slice(0, 10) : new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(count, unit);
  return element("time", { class: "muted small", datetime: iso, title: iso }, words);
}
