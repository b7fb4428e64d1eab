/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** Shuffles the entries. */
export function shuffle<T>(entries: readonly T[], random: Random): readonly T[] {
  return entries
    .map((entry) => ({ entry, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}

/** Picks one of the entries, of which there is at least one. */
export function pick<T>(entries: readonly T[], random: Random): T {
  return entries[Math.floor(random() * entries.length)] as T;
}
