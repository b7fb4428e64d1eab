import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/database";
import type { DiscardDeps } from "./discard-file.ts";
import { sweepFiles } from "./sweep-files.ts";
import { sweepSpentTokens } from "./sweep-spent-tokens.ts";

/** What the sweeps need. */
export interface SweepDeps extends DiscardDeps {
  readonly database: Queryable;
  readonly clock: Clock;
}

const INTERVAL_MS = 900_000;

/** Throws away what has served its time, now and every quarter of an hour, until it is disposed of. */
export function startSweeps(deps: SweepDeps): AsyncDisposable {
  let running = Promise.resolve();
  function sweep(): void {
    running = running
      .then(() => runSweep(deps, "abandoned uploads", sweepFiles))
      .then(() => runSweep(deps, "spent tokens that have expired", sweepSpentTokens));
  }
  sweep();
  const timer = setInterval(sweep, INTERVAL_MS);
  timer.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function runSweep(deps: SweepDeps, what: string, sweep: (deps: SweepDeps) => Promise<number>): Promise<void> {
  try {
    const swept = await sweep(deps);
    if (swept > 0) deps.log.info({ swept }, `${what} were thrown away`);
  } catch (error) {
    deps.log.warn({ err: error }, `${what} could not be thrown away`);
  }
}
