import { Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { Log } from "../log.ts";

/** The counters and measurements of a service, for Prometheus. Labels have few values, all known from the code. */
export interface Metrics {
  /** Adds a counter. Out: a function that adds to it, by one unless a number is given. */
  readonly addCounter: <Label extends string>(
    metric: LabelledMetric<Label>,
  ) => (labels: Readonly<Record<Label, string | number>>, by?: number) => void;
  /** Adds a histogram of durations. Out: a function that takes a duration in seconds. */
  readonly addDurations: <Label extends string>(
    metric: LabelledMetric<Label>,
  ) => (labels: Readonly<Record<Label, string | number>>, seconds: number) => void;
  /**
   * Adds values that are read together on request, at most once in five seconds, so that frequent requests cost
   * nothing; NaN while they cannot be read. In: the description of each, by name.
   */
  readonly addFigures: <Name extends string>(
    helpByName: Readonly<Record<Name, string>>,
    read: () => Promise<Readonly<Record<Name, number>>>,
  ) => void;
  /** All metrics in Prometheus' text format 0.0.4. */
  readonly write: () => Promise<string>;
}

/** A metric with labels: its name, what it is, and the labels' names. */
export interface LabelledMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

/** The media type of `write`'s output. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

const FRESH_MS = 5_000;
const DURATION_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5];

/**
 * Makes the metrics of one service; services of one process share none.
 *
 * In: `monotonicMs` counts up and is never set. Refuses: never by itself; figures that cannot be read are logged.
 * Source: decision P6.
 */
export function createMetrics(deps: { readonly log: Log; readonly monotonicMs: () => number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const refreshes: (() => Promise<void>)[] = [];
  return {
    addCounter: ({ name, help, labels }) => {
      const counter = new Counter<string>({ name, help, labelNames: labels, registers });
      return (values, by = 1) => counter.inc(values, by);
    },
    addDurations: ({ name, help, labels }) => {
      const buckets = DURATION_BUCKETS_SECONDS;
      const durations = new Histogram<string>({ name, help, labelNames: labels, buckets, registers });
      return (values, seconds) => durations.observe(values, seconds);
    },
    addFigures: <Name extends string>(
      helpByName: Readonly<Record<Name, string>>,
      read: () => Promise<Readonly<Record<Name, number>>>,
    ) => {
      const names = Object.keys(helpByName) as Name[];
      const gauges = names.map((name) => [name, new Gauge({ name, help: helpByName[name], registers })] as const);
      const readOnce = async (): Promise<void> => {
        const values = await read().catch((error: unknown) => {
          deps.log.warn({ err: error, names }, "figures could not be read");
          return undefined;
        });
        for (const [name, gauge] of gauges) gauge.set(values?.[name] ?? Number.NaN);
      };
      refreshes.push(keepFresh(deps.monotonicMs, readOnce));
    },
    // Reading may increase counters, so all values are read first.
    write: async () => {
      await Promise.all(refreshes.map((refresh) => refresh()));
      return registry.metrics();
    },
  };
}

/** Runs once for all concurrent callers, and for five seconds from its start. */
function keepFresh(monotonicMs: () => number, run: () => Promise<void>): () => Promise<void> {
  let last: { readonly end: Promise<void>; readonly atMs: number } | undefined;
  let isRunning = false;
  return () => {
    if (last !== undefined && (isRunning || monotonicMs() - last.atMs < FRESH_MS)) return last.end;
    isRunning = true;
    const atMs = monotonicMs();
    const end = run().finally(() => {
      isRunning = false;
    });
    last = { end, atMs };
    return end;
  };
}
