/** A request for a part of a shared amount: the holder, how much, and how long it may wait. */
export interface ShareRequest {
  readonly holder: string;
  readonly amount: number;
  readonly timeoutMs: number;
}

/** A limited amount, of which each holder may have a share. */
export interface Shares {
  /** Out: a function that returns the part, to be called once; undefined where it did not become free in time. */
  readonly take: (request: ShareRequest) => Promise<(() => void) | undefined>;
}

interface Waiting {
  readonly holder: string;
  readonly amount: number;
  readonly begin: () => void;
}

/**
 * Divides an amount: `total` in all, at most `each` to one holder, so that a holder with its full share delays nobody
 * else before the total is used. A request for more than the share is granted once the holder has nothing. Requests
 * that fit are granted in order.
 *
 * Refuses: never. Source: decision V25.
 */
export function createShares({ total, each }: { readonly total: number; readonly each: number }): Shares {
  const takenByHolder = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let free = total;

  function change(holder: string, by: number): void {
    const taken = (takenByHolder.get(holder) ?? 0) + by;
    free -= by;
    if (taken > 0) takenByHolder.set(holder, taken);
    else takenByHolder.delete(holder);
  }

  function isWithinShare({ holder, amount }: Pick<Waiting, "holder" | "amount">): boolean {
    return (takenByHolder.get(holder) ?? 0) + amount <= each;
  }

  function beginWaiting(): void {
    for (const one of waiting) {
      if (!isWithinShare(one)) continue;
      if (one.amount > free) return;
      waiting.delete(one);
      change(one.holder, one.amount);
      one.begin();
    }
  }

  function wait(holder: string, amount: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const one = { holder, amount, begin };
      const timer = setTimeout(() => {
        waiting.delete(one);
        resolve(false);
        // It may have blocked others from the free part.
        beginWaiting();
      }, timeoutMs);
      waiting.add(one);
      beginWaiting();
    });
  }

  return {
    take: async ({ holder, amount: wanted, timeoutMs }) => {
      const amount = Math.min(wanted, each);
      if (!(await wait(holder, amount, timeoutMs))) return undefined;
      return () => {
        change(holder, -amount);
        beginWaiting();
      };
    },
  };
}
