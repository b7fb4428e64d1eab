// The event dispatcher in its own thread; `startDispatcherThread` starts it.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@dataspace/service-kit/clock";
import { errorToEntry } from "@dataspace/service-kit/error-entry";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { createSecret } from "@dataspace/service-kit/secret";
import { startTracing } from "@dataspace/service-kit/tracing/start-tracing";
import type { DispatcherThreadLine, DispatcherThreadOrder, DispatcherThreadStart } from "./dispatcher-thread.ts";
import { type DispatchLog, startEventDispatcher } from "./event-dispatcher.ts";
import { createHandOver } from "./hand-over.ts";
import { receiveWakeSignal } from "./wake-signal.ts";

/** A nice value, from -20 to 19; the main thread has 0. */
const LOW_PRIORITY = 5;
const SHOW_LOOKS_EVERY_MS = 1_000;

const { database, awareness, wakeSignal, tracing, looks } = workerData as DispatcherThreadStart;

// An error loses its code between threads.
const logAs = (level: keyof DispatchLog) => (entry: { readonly err?: unknown }, message: string) => {
  const plainEntry = "err" in entry ? { ...entry, err: errorToEntry(entry.err) } : entry;
  parentPort?.postMessage({ level, entry: plainEntry, message } satisfies DispatcherThreadLine);
};
const log: DispatchLog = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };

// On a busy machine requests come first; by the scheduler's weights this thread still gets a third of their share. Only
// Linux has a priority per thread: elsewhere this would change the whole process.
if (process.platform === "linux") setPriority(LOW_PRIORITY);

const resources = new AsyncDisposableStack();
const tracer = await startTracing(resources, { endpoint: undefined, service: "vault", ...tracing }, log);
const opened = openDatabase(database, (error) => log.warn({ err: error }, "an idle connection was lost"));
const dispatcher = startEventDispatcher({
  base: { database: opened, clock: systemClock, log, tracer },
  monotonicMs: () => performance.now(),
  random: Math.random,
  handOver: createHandOver({ fetch }, { ...awareness, secret: createSecret(awareness.secret) }),
});

setInterval(() => Atomics.store(looks, 0, dispatcher.looks()), SHOW_LOOKS_EVERY_MS);

parentPort?.on("message", async (order: DispatcherThreadOrder) => {
  if (order === "wake") return receiveWakeSignal(wakeSignal, dispatcher.wake);
  await dispatcher[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
  await resources.disposeAsync();
  process.exit();
});
