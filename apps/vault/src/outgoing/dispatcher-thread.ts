import { Worker } from "node:worker_threads";
import type { LaneRunner } from "@dataspace/lanes/lane-runner";
import type { DatabaseConfig } from "@dataspace/service-kit/postgres/database";
import type { DispatchLog } from "./event-dispatcher.ts";
import type { AwarenessAddress } from "./hand-over.ts";
import { createWakeSignal, sendWakeSignal, type WakeSignal } from "./wake-signal.ts";

/** What the thread is started with. */
export interface DispatcherThreadStart {
  readonly database: DatabaseConfig;
  readonly awareness: { readonly url: string; readonly secret: string };
  readonly wakeSignal: WakeSignal;
  /** How often the thread's runner has looked for due lanes, written by the thread. */
  readonly looks: Int32Array<SharedArrayBuffer>;
}

/** A message to the thread: look at the wake signal, or end. */
export type DispatcherThreadOrder = "wake" | "end";

/** A line of the thread's, for the log of its process. */
export interface DispatcherThreadLine {
  readonly level: keyof DispatchLog;
  readonly entry: object;
  readonly message: string;
}

/** It claims while one batch is settled and another is on its way. */
const MAX_CONNECTIONS = 3;
/** What it makes it soon forgets: with a small nursery the process had 46 to 73 MB less after load. The rest bounds a leak. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 };

/** A thread that hangs does not end by itself. It is more than what is under way may take. */
const END_LIMIT_MS = 15_000;

/**
 * Starts the event dispatcher in a thread of its own with connections of its own, so that no request waits while it works.
 *
 * In: `database` says how the vault's database is opened; how many connections it names is of no account here.
 * Out: as `startEventDispatcher`. A thread that ends by a fault ends the process, as any fault that nobody caught. Refuses: never.
 * Source: S1 "Events" 2; decision E1.
 */
export function startDispatcherThread(
  { log }: { readonly log: DispatchLog },
  { database, awareness }: { readonly database: DatabaseConfig; readonly awareness: AwarenessAddress },
): LaneRunner {
  const wakeSignal = createWakeSignal();
  const looks = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: DispatcherThreadStart = {
    database: { ...database, maxConnections: MAX_CONNECTIONS },
    awareness: { url: awareness.url, secret: awareness.secret.reveal() },
    wakeSignal,
    looks,
  };
  // What Node was told of the main program, such as where its code comes from, is not so of this one.
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
