import { type Random, shuffle } from "./random.ts";
import { STEPS, type Step } from "./steps.ts";

/** A step at which a process is to be ended, how many times it passes it before, and how long it is held there. */
export interface PlannedStep {
  readonly step: Step;
  readonly passes: number;
  readonly afterMs: number;
}

const MOST_PASSES = 3;
const LONGEST_HOLD_MS = 20;
/** A statement that is under way is soon done, so the process ends within this. */
const LONGEST_STATEMENT_MS = 3;

/** How many kills a round is, in which each step is reached once. */
export const KILLS_A_ROUND: number = STEPS.filter(({ signal }) => signal === "SIGKILL").length;

/**
 * Draws what befalls a service: each of its steps in an order of chance, as often as there are rounds. Pauses are in every second
 * round alone, since each takes as long as a lease.
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
