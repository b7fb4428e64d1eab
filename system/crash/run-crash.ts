import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { type AttackDeps, carryOut } from "./attack.ts";
import { type Driver, startDriver } from "./driver.ts";
import { createFastClock, type FastTime } from "./fast-clock.ts";
import { createFaults, type Faults } from "./faults.ts";
import { type JudgedRun, judgeRun, logFilesIn } from "./judge-run.ts";
import { countStalled, readWaiting } from "./queues.ts";
import type { Random } from "./random.ts";
import { planSteps } from "./schedule.ts";
import type { ServiceProcess } from "./service-process.ts";
import { openSpace, type Space } from "./space.ts";
import { untilEmpty } from "./until-empty.ts";

/** The size of a run, and the speed of its clock. */
export interface CrashRun {
  readonly seed: number;
  /** The minimum number of acknowledged writes. */
  readonly events: number;
  /** How often each step is reached; 0: no kills. */
  readonly rounds: number;
  readonly databaseStops: number;
  /** How long each of eight writers pauses after a write. */
  readonly restMs: number;
  readonly speed: number;
  /** An empty directory, for the logs of all. */
  readonly directory: string;
  readonly urls: { readonly vault: string; readonly awareness: string };
  /** Stops the database at once; it restarts by itself. */
  readonly stopDatabase?: () => void;
  readonly say?: (line: string) => void;
}

/** The result of a run; it passes without faults. */
export interface CrashReport extends JudgedRun {
  readonly seed: number;
  readonly kills: number;
  readonly databaseStops: number;
  /** How often each step was. */
  readonly reached: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

const LEASE_MS = 20_000;
/** Writers wait while this much of what they wrote has not arrived. */
const MOST_UNDER_WAY = 1_500;
const PROGRESS_MS = 10_000;
const POLL_MS = 100;

/**
 * Runs the complete path of events, from vault through awareness service to receivers, in separate processes. It ends
 * them at every step and compares arrivals with writes.
 *
 * Refuses: when a process ends by itself, a step is not reached, or the queues do not empty.
 */
export async function runCrash(run: CrashRun): Promise<CrashReport> {
  const random = createSeededRandom(run.seed);
  const time = { fromMs: Date.now(), speed: run.speed };
  const faults = createFaults();
  const reached: Record<string, number> = {};
  await using space = await openSpace({ ...run, time, flaky: run.rounds > 0 });
  const onReached = async (step: string): Promise<void> => {
    reached[step] = (reached[step] ?? 0) + 1;
    await judgeLanes(space, step, faults);
  };
  {
    await using driver = startDriver({
      ...space,
      logFile: logFilesIn(run.directory).written,
      random: createSeededRandom(run.seed + 1),
      restMs: () => run.restMs,
      mayWrite: (acknowledged) => acknowledged - space.receiver.applied() < MOST_UNDER_WAY,
    });
    using _progress = tellProgress(run, space, driver);
    await attackAll(run, { space, driver, random, deps: createAttackDeps({ space, time, random, onReached }) });
  }
  run.say?.(`the last write has its answer; there wait ${JSON.stringify(await readWaiting(space.databases))}`);
  await untilEmpty(space);
  const counts = await judgeRun(space.databases, run.directory, faults);
  const { seed, databaseStops } = run;
  return {
    ...counts,
    seed,
    databaseStops,
    kills: killsOf(space),
    reached,
    faults: faults.first,
    faultCount: faults.count(),
  };
}

interface Attack {
  readonly space: Space;
  readonly driver: Driver;
  readonly random: Random;
  readonly deps: AttackDeps;
}

// Of the two processes of a service only one is attacked at a time: the other continues, or is restarting.
async function attackAll(run: CrashRun, { space, driver, random, deps }: Attack): Promise<void> {
  const over = new AbortController();
  const untilWritten = async (share: number): Promise<void> => {
    while (driver.acknowledged() < share * run.events) await wait(POLL_MS, undefined, over);
  };
  const attack = async (service: "vault" | "awareness"): Promise<void> => {
    const pair = space.processes.filter((process) => process.service === service);
    const steps = planSteps(service, run.rounds, random);
    for (const [index, planned] of steps.entries()) {
      await untilWritten(index / steps.length);
      await carryOut(pair[index % pair.length] as ServiceProcess, planned, deps);
    }
  };
  const stopDatabases = async (): Promise<void> => {
    for (let stop = 1; stop <= run.databaseStops; stop += 1) {
      await untilWritten(stop / (run.databaseStops + 1));
      run.stopDatabase?.();
      run.say?.(`the database was stopped at once, ${stop} of ${run.databaseStops}`);
    }
  };
  try {
    await Promise.all([untilWritten(1), attack("vault"), attack("awareness"), stopDatabases()]);
  } finally {
    over.abort();
  }
}

function createAttackDeps({
  space,
  time,
  ...deps
}: Pick<AttackDeps, "random" | "onReached"> & { readonly space: Space; readonly time: FastTime }): AttackDeps {
  const clock = createFastClock(time);
  return {
    ...deps,
    ...space,
    pauseMs: (LEASE_MS * 1.25) / time.speed,
    askReplay: (withinMs) => void space.replay(clock.nowMs() - withinMs * time.speed).catch(() => undefined),
  };
}

// A stopped database cannot answer, so it is queried again after the next step.
async function judgeLanes({ databases }: Space, step: string, faults: Faults): Promise<void> {
  const stalled = await countStalled(databases).catch(() => 0);
  if (stalled > 0) faults.add(`${stalled} lanes have something to do and are never due, after "${step}"`);
}

function killsOf({ processes }: Space): number {
  return processes.reduce((sum, process) => sum + process.kills(), 0);
}

function tellProgress({ say }: CrashRun, space: Space, driver: Driver): Disposable {
  const timer = setInterval(() => {
    const [written, applied] = [driver.acknowledged(), space.receiver.applied()];
    say?.(`${written} acknowledged, ${applied} applied, lag ${written - applied}, ${killsOf(space)} kills`);
  }, PROGRESS_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
