import { Worker } from "node:worker_threads";
import type { LaneRunner } from "@dataspace/lanes/lane-runner";
import type { DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { TracingConfig } from "@dataspace/service-kit/tracing/tracer";
import type { DispatchLog } from "./event-dispatcher.ts";
import type { AwarenessAddress } from "./hand-over.ts";
import { createWakeSignal, sendWakeSignal, type WakeSignal } from "./wake-signal.ts";

/** The thread's configuration. */
export interface DispatcherThreadStart {
  readonly database: DatabaseConfig;
  readonly awareness: { readonly url: string; readonly secret: string };
  readonly wakeSignal: WakeSignal;
  /** Where its spans go; undefined: it makes none. */
  readonly tracing: TracingConfig | undefined;
  /** The count of the runner's looks for due lanes, written by the thread. */
  readonly looks: Int32Array<SharedArrayBuffer>;
}

/** A message to the thread: check the wake signal, or end. */
export type DispatcherThreadOrder = "wake" | "end";

/** A log line of the thread, for its process's log. */
export interface DispatcherThreadLine {
  readonly level: keyof DispatchLog;
  readonly entry: object;
  readonly message: string;
}

/** It claims while one batch is settled and another is being sent. */
const MAX_CONNECTIONS = 3;
/**
 * Its objects die young, so a small young generation saves memory. The other limit bounds a leak. Source:
 * docs/decisions/2026-11-22-dispatcher-thread.md.
 */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** A thread that hangs does not end by itself. This is longer than any work in progress takes. */
const END_LIMIT_MS = 15_000;

/** The database and the awareness service between which the thread works, and where its spans go. */
export interface DispatcherThreadConfig {
  readonly database: DatabaseConfig;
  readonly awareness: AwarenessAddress;
  readonly tracing?: TracingConfig | undefined;
}

/**
 * Starts the event dispatcher in its own thread with its own connections, so that no request waits for its work.
 *
 * In: `database` is how to open the vault's database; its number of connections is ignored.
 * Out: as `startEventDispatcher`. A fault that ends the thread ends the process, like any uncaught fault. Refuses:
 * never.
 * Source: S1 "Events" 2; decision E1.
 */
export function startDispatcherThread(
  { log }: { readonly log: DispatchLog },
  { database, awareness, tracing }: DispatcherThreadConfig,
): LaneRunner {
  const wakeSignal = createWakeSignal();
  const looks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: DispatcherThreadStart = {
    database: { ...database, maxConnections: MAX_CONNECTIONS },
    awareness: { url: awareness.url, secret: awareness.secret.reveal() },
    wakeSignal,
    tracing,
    looks,
  };
  // Node options of the main program, such as where its code comes from, do not apply to the thread.
  const options = { workerData, execArgv: [], resourceLimits: MEMORY };
  const thread = new Worker(new URL("run-dispatcher.ts", import.meta.url), options);
  const send = (order: DispatcherThreadOrder) => thread.postMessage(order);
  const ended = Promise.withResolvers<void>();
  let isAskedToEnd = false;
  thread.on("message", ({ level, entry, message }: DispatcherThreadLine) => log[level](entry, message));
  thread.on("error", (cause) => {
    throw new Error("the thread that hands events over broke", { cause });
  });
  thread.on("exit", () => {
    if (!isAskedToEnd) throw new Error("the thread that hands events over ended by itself");
    ended.resolve();
  });
  return {
    wake: () => {
      if (sendWakeSignal(wakeSignal)) send("wake");
    },
    looks: () => Atomics.load(looks, 0),
    [Symbol.asyncDispose]: async () => {
      isAskedToEnd = true;
      send("end");
      const timer = setTimeout(() => void thread.terminate(), END_LIMIT_MS);
      await ended.promise;
      clearTimeout(timer);
    },
  };
}
