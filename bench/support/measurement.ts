import type { BenchServer } from "./bench-server.ts";
import type { LoadProcess } from "./load-process.ts";

/** How big a run is. Times in ms, sizes in MetaEnvelopes. */
export interface Sizes {
  readonly windowMs: number;
  readonly rounds: number;
  readonly fewRecords: number;
  readonly manyRecords: number;
  readonly diskRecords: number;
  /** Records of an owner of which others may see some. */
  readonly sharedRecords: number;
  /** Rows of a table that a platform backfills at once. */
  readonly backfilledRows: number;
  /** Webhooks that wait for one subscription. */
  readonly waitingWebhooks: number;
}

/** What a bench gets: the database server, the load process, the sizes, and a place to say what it is doing. */
export interface BenchContext {
  readonly server: BenchServer;
  readonly load: LoadProcess;
  readonly sizes: Sizes;
  readonly say: (line: string) => void;
}

/** One promise held against its measure. `atMost` false: the bar is a floor. `unit` is empty for a ratio. */
export interface Outcome {
  readonly name: string;
  readonly measured: number;
  readonly bar: number;
  readonly atMost: boolean;
  readonly unit?: string;
}

/** Medians of one variant's windows: rate, latency, and CPU time per operation by process, in microseconds. */
export interface Figures {
  readonly name: string;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serviceCpuUs: number;
  readonly postgresCpuUs: number;
  readonly loadCpuUs: number;
}

/** What a bench found. `notes` are sentences that a reader of the figures needs. */
export interface BenchReport {
  readonly outcomes: readonly Outcome[];
  readonly figures: readonly Figures[];
  readonly notes: readonly string[];
}

/** One bench. */
export type Bench = (context: BenchContext) => Promise<BenchReport>;
