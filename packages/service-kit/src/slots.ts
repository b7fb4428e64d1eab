/** Runs work when there is a place for it. */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes places for work: so many run at a time, the others wait in the order in which they came. Refuses: never. */
export function createSlots(atOnce: number): InSlot {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
