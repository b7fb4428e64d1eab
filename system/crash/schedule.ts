import { type Random, shuffle } from "./random.ts";
import { STEPS, type Step } from "./steps.ts";

/** A step at which a process is ended, how many times it passes the step first, and how long it is held there. */
export interface PlannedStep {
  readonly step: Step;
  readonly passes: number;
  readonly afterMs: number;
}

const MOST_PASSES = 3;
const LONGEST_HOLD_MS = 20;
/** A running statement ends soon, so the process ends within this time. */
const LONGEST_STATEMENT_MS = 3;

/** The number of kills in a round, in which each step is reached once. */
export const KILLS_A_ROUND: number = STEPS.filter(({ signal }) => signal === "SIGKILL").length;

/**
 * Draws the schedule of a service: each of its steps in random order, once per round. Pauses occur only in every second
 * round, since each takes as long as a lease.
 */
export function planSteps(service: Step["service"], rounds: number, random: Random): readonly PlannedStep[] {
  const own = STEPS.filter((step) => step.service === service);
  return Array.from({ length: rounds }, (_, round) =>
    shuffle(
      own.filter(({ signal }) => signal === "SIGKILL" || round % 2 === 0),
      random,
    ),
  )
    .flat()
    .map((step) => ({
      step,
      passes: Math.floor(random() * MOST_PASSES),
      afterMs: Math.ceil(random() * (step.at?.when === "sent" ? LONGEST_STATEMENT_MS : LONGEST_HOLD_MS)),
    }));
}
