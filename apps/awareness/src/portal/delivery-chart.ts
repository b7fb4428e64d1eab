import { barChart } from "@dataspace/ui/bar-chart";
import type { Html } from "@dataspace/ui/html";
import type { AttemptCounts } from "../store/attempt-counts.ts";
import { numberWords } from "./words.ts";

/** The name of a period. */
export type PeriodName = "hour" | "day";

interface Period {
  readonly spans: number;
  readonly spanMs: number;
  readonly title: string;
}

/** The periods of the chart: how many spans of which length. */
export const PERIODS: Readonly<Record<PeriodName, Period>> = {
  hour: { spans: 30, spanMs: 120_000, title: "Last hour" },
  day: { spans: 48, spanMs: 1_800_000, title: "Last day" },
};

const WORDS = {
  span: "Time (UTC)",
  delivered: "Delivered",
  failed: "Failed",
  asTable: "Show as a table",
  now: "Now",
  ago: { hour: "1 hour ago", day: "1 day ago" },
} as const;

/** Reads the period that an address asks for; the last day without one. Refuses: never. */
export function readPeriod(text: unknown): PeriodName {
  return text === "hour" ? "hour" : "day";
}

/** Returns when the first span of a period begins, in milliseconds since the epoch. Refuses: never. */
export function beginOfPeriod(period: PeriodName, nowMs: number): number {
  const { spans, spanMs } = PERIODS[period];
  return (Math.floor(nowMs / spanMs) + 1 - spans) * spanMs;
}

/** How many attempts succeeded and failed. */
export interface Totals {
  readonly delivered: number;
  readonly failed: number;
}

/** Adds counts up. Refuses: never. */
export function sumCounts(counts: readonly Totals[]): Totals {
  return counts.reduce(
    (sum, { delivered, failed }) => ({ delivered: sum.delivered + delivered, failed: sum.failed + failed }),
    { delivered: 0, failed: 0 },
  );
}

/** Draws the attempts of a period. Refuses: never. Source: decision E7. */
export function deliveryChart(period: PeriodName, { counts }: AttemptCounts, nowMs: number): Html {
  const { spans, spanMs, title } = PERIODS[period];
  const beginMs = beginOfPeriod(period, nowMs);
  const bySpan = Map.groupBy(counts, ({ span }) => span);
  const { delivered, failed } = sumCounts(counts);
  return barChart({
    id: "deliveries",
    summary: `${title}: ${numberWords(delivered, "attempt")} delivered, ${numberWords(failed, "attempt")} failed`,
    names: { span: WORDS.span, ok: WORDS.delivered, bad: WORDS.failed, asTable: WORDS.asTable },
    bars: Array.from({ length: spans }, (_, span) => {
      const sum = sumCounts(bySpan.get(span) ?? []);
      const fromMs = beginMs + span * spanMs;
      return { title: `${timeOf(fromMs)} to ${timeOf(fromMs + spanMs)}`, ok: sum.delivered, bad: sum.failed };
    }),
    ends: [WORDS.ago[period], WORDS.now],
  });
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}
