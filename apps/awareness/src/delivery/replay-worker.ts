import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { WatchedWorker } from "@dataspace/service-kit/run/watchdog";
import { listenerOf } from "../consumers/listener-of.ts";
import { redeliverPart } from "../store/redeliver.ts";
import { claimJob, noteJobPart } from "../store/replay-jobs.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";
import { createSelectLanes } from "./select-lanes.ts";

/** The worker's dependencies; `wake` is called after each part, so that deliveries begin. */
export interface ReplayWorkerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly decideVisibility: DecideVisibility;
  readonly wake: () => void;
}

const POLL_MS = 1_000;

/**
 * Starts running the parts of replay jobs that a request left, until it is disposed of. Jobs take turns, part by part,
 * and each part checks again what the consumer may read. Any number of processes may do so on one database.
 *
 * If the process of a part ends, another runs the part again after 60 s, so that some deliveries may be redelivered
 * twice.
 * Refuses: never by itself; a failure is logged and retried. Source: decisions E2, E7, V25.
 */
export function startReplayWorker(deps: ReplayWorkerDeps, config: Parameters<typeof listenerOf>[1]): WatchedWorker {
  const ending = new AbortController();
  let looks = 0;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted && (await doPart(deps, config, ending.signal))) looks += 1;
  };
  const poll = setInterval(() => {
    running ??= run()
      .catch((error) => {
        if (!ending.signal.aborted)
          deps.log.warn({ err: error }, "a part of a replay failed; it is tried again in 60 s");
      })
      .finally(() => {
        looks += 1;
        running = undefined;
      });
  }, POLL_MS);
  return {
    looks: () => looks,
    [Symbol.asyncDispose]: async () => {
      clearInterval(poll);
      ending.abort();
      await running;
    },
  };
}

async function doPart(
  { database, clock, decideVisibility, wake }: ReplayWorkerDeps,
  config: Parameters<typeof listenerOf>[1],
  signal: AbortSignal,
): Promise<boolean> {
  const job = await claimJob(database, clock.nowMs());
  if (job === undefined) return false;
  const { subscriptionId, redelivery } = job;
  const selectLanes = createSelectLanes(decideVisibility, listenerOf(job.consumer, config));
  const request = { subscriptionId, redelivery, selectLanes, nowMs: clock.nowMs, signal };
  const part = await redeliverPart(database, request, job.after);
  await noteJobPart(database, job, { ...part, nowMs: clock.nowMs() });
  wake();
  return true;
}
