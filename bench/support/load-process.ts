import { type Child, startChild } from "./child.ts";

/** Whole HTTP requests to one port under a name; each run sends them in random order. */
export interface RequestSet {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly string[];
}

/**
 * One window of load: each connection sends its next request when it has the answer to the last, or, with `perSecond`, all of them
 * together send so many a second, evenly, whatever the answers.
 */
export interface LoadRun {
  readonly name: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly perSecond?: number;
}

/** What a window of load gave. */
export interface LoadResult {
  readonly operations: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The process that sends the load. */
export interface LoadProcess extends AsyncDisposable {
  readonly pid: number;
  readonly prepare: (set: RequestSet) => Promise<void>;
  readonly run: (run: LoadRun) => Promise<LoadResult>;
}

/** Starts the process that sends the load. */
export function startLoadProcess(): LoadProcess {
  const child: Child = startChild("load-child.ts");
  return {
    pid: child.pid,
    prepare: (set) => child.ask("prepare", set),
    run: (run) => child.ask("run", run),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
