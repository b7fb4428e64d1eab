const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];
const DAYS_IN_WORDS = 30;

/**
 * Says how far a time is from now, such as "2 hours ago"; beyond 30 days its date.
 *
 * In: ISO 8601, UTC; `nowMs` since the epoch. A text that is not a time is cut like a date. Refuses: never.
 */
export function distanceWords(iso: string, nowMs: number): string {
  const distanceMs = Date.parse(iso) - nowMs;
  const [unit, ms] = STEPS.find(([, size]) => Math.abs(distanceMs) >= size) ?? ["second", 1_000];
  const count = Math.trunc(distanceMs / ms);
  const isFar = Number.isNaN(count) || (unit === "day" && Math.abs(count) > DAYS_IN_WORDS);
  return isFar ? iso.slice(0, 10) : new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(count, unit);
}
