/** Runs work of a holder when there is a place for it. */
export type InShare = <T>(holder: string, work: () => Promise<T>) => Promise<T>;

/** So many places, of which one holder has so many at most; and how many of one holder may wait. */
export interface ShareLimits {
  readonly places: number;
  readonly perHolder: number;
  readonly mostWaiting: number;
}

interface Waiting {
  readonly holder: string;
  readonly start: () => void;
}

/**
 * Makes places that nobody can take alone: work waits in the order in which it came, and that of a holder who has its share is
 * passed over until some of it is done.
 *
 * In: `refuse` makes the error for work that would be one too many to wait. Refuses: that error. Source: decision V25.
 */
export function createShares({ places, perHolder, mostWaiting }: ShareLimits, refuse: () => Error): InShare {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let free = places;
  const runningOf = (holder: string) => running.get(holder) ?? 0;
  function take(holder: string): void {
    free -= 1;
    running.set(holder, runningOf(holder) + 1);
  }
  function giveBack(holder: string): void {
    free += 1;
    if (runningOf(holder) === 1) running.delete(holder);
    else running.set(holder, runningOf(holder) - 1);
    const next = waiting.findIndex((one) => runningOf(one.holder) < perHolder);
    if (next === -1) return;
    const [started] = waiting.splice(next, 1) as [Waiting];
    take(started.holder);
    started.start();
  }
  return async (holder, work) => {
    if (free > 0 && runningOf(holder) < perHolder) take(holder);
    else {
      if (waiting.filter((one) => one.holder === holder).length >= mostWaiting) throw refuse();
      await new Promise<void>((start) => waiting.push({ holder, start }));
    }
    try {
      return await work();
    } finally {
      giveBack(holder);
    }
  };
}
