import type { Log } from "@dataspace/service-kit/log";

/** What is worked through in parts: how to read a part after an item, and the work on one item. */
export interface InParts<Item> {
  readonly list: (after: Item | undefined, atMost: number) => Promise<readonly Item[]>;
  /** Out: whether the item is done for good. */
  readonly work: (item: Item) => Promise<boolean>;
  readonly log: Pick<Log, "warn">;
  /** The message of an item's failure. */
  readonly failed: string;
}

const AT_ONCE = 100;
/** A party that is down fails for each item; the next run goes on after the last one. */
const MOST_FAILURES = 10;

/**
 * Makes runs through items that other parties decide about. An item that fails is logged, and delays no other. A run ends
 * after the last item or the tenth failure; the next run goes on where it ended.
 *
 * Out of a run: how many items are done for good. Runs follow each other. Refuses: as `list` does.
 */
export function createRunInParts<Item>({ list, work, log, failed }: InParts<Item>): () => Promise<number> {
  let after: Item | undefined;
  return async () => {
    let [done, failures] = [0, 0];
    for (;;) {
      const items = await list(after, AT_ONCE);
      for (const item of items) {
        after = item;
        try {
          if (await work(item)) done += 1;
        } catch (error) {
          failures += 1;
          log.warn({ err: error }, failed);
          if (failures === MOST_FAILURES) return done;
        }
      }
      if (items.length === AT_ONCE) continue;
      after = undefined;
      return done;
    }
  };
}
