import { Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";
import type { Log } from "../log.ts";

/** What a service counts and measures of itself, for Prometheus. Labels take few values, all of them known from the code. */
export interface Metrics {
  /** Adds a count that only grows. Out: what adds to it, one unless told. */
  readonly addCounter: <Label extends string>(
    metric: LabelledMetric<Label>,
  ) => (labels: Readonly<Record<Label, string | number>>, by?: number) => void;
  /** Adds durations. Out: what takes one, in seconds. */
  readonly addDurations: <Label extends string>(
    metric: LabelledMetric<Label>,
  ) => (labels: Readonly<Record<Label, string | number>>, seconds: number) => void;
  /**
   * Adds figures that are read together when somebody asks, at most once in five seconds, so that asking often costs nothing;
   * NaN while they cannot be read. In: what each is, by name.
   */
  readonly addFigures: <Name extends string>(
    helpByName: Readonly<Record<Name, string>>,
    read: () => Promise<Readonly<Record<Name, number>>>,
  ) => void;
  /** All of it in Prometheus' text format 0.0.4. */
  readonly write: () => Promise<string>;
}

/** A metric with labels: its name, what it is, and the labels' names. */
export interface LabelledMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

/** The media type of what `write` gives. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

const FRESH_MS = 5_000;
const DURATION_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5];

/**
 * Makes the metrics of one service; several services of a process share none.
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
    // What is read may add to counters, so all of it is read first.
    write: async () => {
      await Promise.all(refreshes.map((refresh) => refresh()));
      return registry.metrics();
    },
  };
}

/** Runs once for all who ask while it runs, and for five seconds from its beginning. */
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
