/** A part of a bulk, in order. */
export interface Batch<Item> {
  readonly number: number;
  readonly items: readonly Item[];
}

const MOST_ITEMS = 1_000;
/** UTF-8 has at most 3 bytes for a character of a string, and the vault takes a body of 16 MiB. */
const MOST_CHARACTERS = 4 * 1_048_576;

/**
 * Divides items into batches that the vault takes: at most 1,000 items and 4 Mi characters of JSON, or one item that is larger.
 *
 * Refuses: what `items` refuses. Source: S1 "bulkCreateMetaEnvelopes"; decision V5.
 */
export async function* toBatches<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Batch<Item>, void, undefined> {
  let number = 0;
  let batch: Item[] = [];
  let characters = 0;
  for await (const item of items) {
    const size = JSON.stringify(item).length;
    if (batch.length === MOST_ITEMS || (batch.length > 0 && characters + size > MOST_CHARACTERS)) {
      yield { number: number++, items: batch };
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += size;
  }
  if (batch.length > 0) yield { number, items: batch };
}
