import { setTimeout as sleep } from "node:timers/promises";

/**
 * How items are batched: the largest batch, how long the first item waits, and whether an error may be caused by a
 * single item.
 */
export interface GatheringConfig {
  readonly most: number;
  readonly gatherMs: number;
  readonly isPerItemError: (error: unknown) => boolean;
}

/**
 * Batches items. Whatever arrives within `gatherMs`, or while a run is in progress, goes into the next run, unless a
 * full batch already waits. If an error may be caused by one item, each item runs again alone, so that only that one
 * fails.
 *
 * In: `run` returns a result for each item, in order, or has no effect at all. Out: a function that takes an item and
 * returns its result.
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
      for (const [place, { resolve }] of together.entries()) resolve(results[place] as Result);
    } catch (error) {
      if (together.length > 1 && isPerItemError(error)) for (const one of together) await runTogether([one]);
      else for (const { reject } of together) reject(error);
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
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
