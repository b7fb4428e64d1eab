// The event dispatcher in a thread of its own; `startDispatcherThread` starts it.
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@dataspace/service-kit/clock";
import { errorToEntry } from "@dataspace/service-kit/log";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { createSecret } from "@dataspace/service-kit/secret";
import { hear } from "./bell.ts";
import type { DispatcherThreadLine, DispatcherThreadOrder, DispatcherThreadStart } from "./dispatcher-thread.ts";
import { type DispatchLog, startEventDispatcher } from "./event-dispatcher.ts";
import { createHandOver } from "./hand-over.ts";

const { database, awareness, bell } = workerData as DispatcherThreadStart;

// An error loses its code on the way between threads.
const logAs = (level: keyof DispatchLog) => (entry: { readonly err?: unknown }, message: string) => {
  const told = "err" in entry ? { ...entry, err: errorToEntry(entry.err) } : entry;
  parentPort?.postMessage({ level, entry: told, message } satisfies DispatcherThreadLine);
};
const log: DispatchLog = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };

const opened = openDatabase(database, (error) => log.warn({ err: error }, "an idle connection was lost"));
const dispatcher = startEventDispatcher({
  database: opened,
  clock: systemClock,
  log,
  monotonicMs: () => performance.now(),
  random: Math.random,
  handOver: createHandOver({ fetch }, { ...awareness, secret: createSecret(awareness.secret) }),
});

parentPort?.on("message", async (order: DispatcherThreadOrder) => {
  if (order === "heed") return hear(bell, dispatcher.wake);
  await dispatcher[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
  process.exit();
});
