import { setTimeout as sleep } from "node:timers/promises";

/** How items are run together: at most so many, after the first has waited so long, and whether an error may be due to one alone. */
export interface GatheringConfig {
  readonly most: number;
  readonly gatherMs: number;
  readonly isPerItemError: (error: unknown) => boolean;
}

/**
 * Runs items together: what is given within `gatherMs`, or while a run is under way, goes into the next one, unless so many wait
 * that it is full. Where one of them may be at fault, each runs again by itself, so that it fails alone.
 *
 * In: `run` gives a result for each item, in their order, or does nothing at all. Out: what takes an item and gives its result.
 * Refuses: as `run`. Source: decision E1 (many lanes settled in one statement).
 */
export function createGathering<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, isPerItemError, gatherMs }: GatheringConfig,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runTogether(together: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(together.map(({ item }) => item));
      for (const [place, { settled }] of together.entries()) settled.resolve(results[place] as Result);
    } catch (error) {
      if (together.length > 1 && isPerItemError(error)) for (const one of together) await runTogether([one]);
      else for (const { settled } of together) settled.reject(error);
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      if (waiting.length < most) await sleep(gatherMs);
      const together = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await runTogether(together);
    }
    isRunning = false;
  }

  return (item) => {
    const settled = Promise.withResolvers<Result>();
    waiting.push({ item, settled });
    if (!isRunning) void runAll();
    return settled.promise;
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settled: PromiseWithResolvers<Result>;
}
