import { type Random, shuffle } from "./random.ts";
import { STEPS, type Step } from "./steps.ts";

/** A step at which a process is to be ended, the how manyth time it comes there, and how far into it. */
export interface PlannedStep {
  readonly step: Step;
  readonly passes: number;
  readonly afterMs: number;
}

const MOST_PASSES = 3;
const LONGEST_AFTER_MS = 3;

/** How many kills a round is, in which each step is reached once. */
export const KILLS_A_ROUND: number = STEPS.filter(({ signal }) => signal === "SIGKILL").length;

/** Draws what befalls a service: each of its steps in an order of chance, as often as there are rounds. */
export function planSteps(service: Step["service"], rounds: number, random: Random): readonly PlannedStep[] {
  const own = STEPS.filter((step) => step.service === service);
  return Array.from({ length: rounds }, () => shuffle(own, random))
    .flat()
    .map((step) => ({
      step,
      passes: Math.floor(random() * MOST_PASSES),
      afterMs: Math.floor(random() * (LONGEST_AFTER_MS + 1)),
    }));
}
