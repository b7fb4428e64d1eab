/** Groups items by a key, in their order. `Map.groupBy` does the same, but Node has it only from version 21 on. Refuses: never. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const itemsByKey = new Map<Key, Item[]>();
  for (const item of items) {
    const others = itemsByKey.get(keyOf(item));
    if (others === undefined) itemsByKey.set(keyOf(item), [item]);
    else others.push(item);
  }
  return itemsByKey;
}
