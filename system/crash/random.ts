/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** Makes the numbers that a seed decides, always the same ones. In: a whole number. Refuses: never. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Gives the entries in an order of chance. */
export function shuffle<T>(entries: readonly T[], random: Random): readonly T[] {
  return entries
    .map((entry) => ({ entry, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ entry }) => entry);
}

/** Gives one of the entries, of which there is at least one. */
export function pick<T>(entries: readonly T[], random: Random): T {
  return entries[Math.floor(random() * entries.length)] as T;
}
