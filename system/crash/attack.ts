import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "./random.ts";
import type { ReceiverProcess } from "./receiver-process.ts";
import type { PlannedStep } from "./schedule.ts";
import type { ServiceProcess } from "./service-process.ts";
import { HELD_ANSWER, REPLAY } from "./steps.ts";

/** The parties of an attack. */
export interface AttackDeps {
  readonly processes: readonly ServiceProcess[];
  readonly receiver: Pick<ReceiverProcess, "holdNext">;
  /** Asks one of the awareness services to replay recent events; it may end meanwhile. */
  readonly askReplay: (withinMs: number) => void;
  /** How long a process is paused: longer than its leases. */
  readonly pauseMs: number;
  readonly random: Random;
  /** Called for each step that was reached. */
  readonly onReached: (step: string) => Promise<void>;
}

/** Far more than needed, also on a busy machine. */
const PATIENCE_MS = 120_000;
const REPLAY_EVERY_MS = 250;
const REPLAY_STEP_MS = 3_000;
const LONGEST_WAIT_MS = 300;

/**
 * Makes a process end, or pause past its lease, at a step. If something else ends it first, this applies to its next
 * run.
 *
 * Refuses: when the process never reaches the step.
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
    // A replay is one operation, so the first time is the only one.
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

/** Recent events may not be delivered yet, and then there is nothing to replay: each attempt goes further back. */
function keepAsking({ askReplay }: AttackDeps): NodeJS.Timeout {
  let withinMs = 0;
  return setInterval(() => {
    withinMs += REPLAY_STEP_MS;
    askReplay(withinMs);
  }, REPLAY_EVERY_MS);
}

/** Which worker waits for the answer is unknown, so it ends them all. */
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
