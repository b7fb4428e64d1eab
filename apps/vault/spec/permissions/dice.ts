import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";

/** Draws for one step, all decided by its seed. */
export interface Dice {
  /** True once in so many times. */
  readonly once: (inTimes: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** Each element with the same chance, once in so many times. */
  readonly some: <T>(from: readonly T[], inTimes: number) => readonly T[];
  readonly below: (n: number) => number;
}

/** Makes dice of a seed. */
export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  const below = (n: number) => Math.floor(random() * n);
  return {
    below,
    once: (inTimes) => below(inTimes) === 0,
    pick: (from) => {
      if (from.length === 0) throw new Error("there is nothing to pick from");
      return from[below(from.length)] as never;
    },
    some: (from, inTimes) => from.filter(() => below(inTimes) === 0),
  };
}
