import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "./random.ts";
import type { ReceiverProcess } from "./receiver-process.ts";
import type { PlannedStep } from "./schedule.ts";
import type { ServiceProcess } from "./service-process.ts";
import { HELD_ANSWER, REPLAY } from "./steps.ts";

/** What an attack works on. */
export interface AttackDeps {
  readonly processes: readonly ServiceProcess[];
  readonly receiver: Pick<ReceiverProcess, "holdNext">;
  /** Asks one awareness service or the other to deliver once more what came within so long; it may end meanwhile. */
  readonly askReplay: (withinMs: number) => void;
  /** How long a process is paused, which is longer than its leases. */
  readonly pauseMs: number;
  readonly random: Random;
  /** Told of each step that was reached. */
  readonly onReached: (step: string) => Promise<void>;
}

/** Far more than it takes, also on a machine that has much else to do. */
const PATIENCE_MS = 120_000;
const REPLAY_EVERY_MS = 250;
const REPLAY_STEP_MS = 3_000;
const LONGEST_WAIT_MS = 300;

/**
 * Has a process end, or pause past its lease, at a step; when something else ends it first, its next life does.
 *
 * Refuses: when the process never comes to the step.
 */
export async function carryOut(process: ServiceProcess, planned: PlannedStep, deps: AttackDeps): Promise<void> {
  const { step } = planned;
  if (step.at !== undefined) await untilReached(process, planned, deps);
  else if (step.name === HELD_ANSWER) await endWhileAnswerIsHeld(deps);
  else await endAtRandom(process, deps);
  await deps.onReached(step.name);
}

async function untilReached(process: ServiceProcess, planned: PlannedStep, deps: AttackDeps): Promise<void> {
  const { step, passes, afterMs } = planned;
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const life = await process.life();
    // A replay is one act, so the first time is the one.
    const arming = { step: step.name, passes: step.name === REPLAY ? 0 : passes, afterMs };
    const reached = life.arm(arming).then(() => "reached" as const);
    const asking = step.name === REPLAY ? keepAsking(deps) : undefined;
    const late = wait(endMs - performance.now(), "late" as const, { ref: false });
    const first = Promise.race([reached, life.ended.then(() => "ended" as const), late]);
    const outcome = await first.finally(() => clearInterval(asking));
    if (outcome === "late") throw new Error(`${process.name} did not come to "${step.name}" in ${PATIENCE_MS} ms`);
    if (outcome === "ended") continue;
    if (step.signal === "SIGKILL") await life.ended;
    else setTimeout(life.resume, deps.pauseMs);
    return;
  }
}

/** What came lately may not be delivered yet, and then there is nothing to deliver once more: each time it goes further back. */
function keepAsking({ askReplay }: AttackDeps): NodeJS.Timeout {
  let withinMs = 0;
  return setInterval(() => {
    withinMs += REPLAY_STEP_MS;
    askReplay(withinMs);
  }, REPLAY_EVERY_MS);
}

/** Nobody can tell which of the workers waits for the answer, so it ends them all. */
async function endWhileAnswerIsHeld({ processes, receiver }: AttackDeps): Promise<void> {
  await receiver.holdNext();
  for (const process of processes) if (process.service === "awareness") process.kill();
}

async function endAtRandom(process: ServiceProcess, { random }: AttackDeps): Promise<void> {
  const { ended } = await process.life();
  await wait(random() * LONGEST_WAIT_MS);
  process.kill();
  await ended;
}
