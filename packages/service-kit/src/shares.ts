/** What is asked of something that many share: for whom, how much of it, and for how long that may wait. */
export interface ShareRequest {
  readonly holder: string;
  readonly amount: number;
  readonly timeoutMs: number;
}

/** Something of which there is so much, and of which each holder may have a share. */
export interface Shares {
  /** Out: what gives it back, to be called once; undefined where it did not become free in time. */
  readonly take: (request: ShareRequest) => Promise<(() => void) | undefined>;
}

interface Waiting {
  readonly holder: string;
  readonly amount: number;
  readonly begin: () => void;
}

/**
 * Shares out an amount: `total` of it in all, `each` at most to one holder, so that a holder who keeps its share delays nobody else
 * before the total is taken. Who asks for more than its share gets it all once it has nothing. Requests that fit go in their order.
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
        // It may have kept others from what is free.
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
