/** Places that each requester has so many of. */
export interface Shares {
  /** Waits for a place of this requester's, `timeoutMs` at most. Out: what gives it back. Refuses: rejects after the timeout. */
  readonly take: (requester: string, timeoutMs: number) => Promise<() => void>;
}

interface Share {
  taken: number;
  /** Whoever waits for a place, in the order in which they came. */
  readonly waiting: Set<() => void>;
}

/** Makes places, so many for each requester: nobody waits for another one's. What nobody uses takes no memory. Refuses: never. */
export function createShares(placesEach: number): Shares {
  const shares = new Map<string, Share>();
  function giveBack(requester: string, share: Share): void {
    const [next] = share.waiting;
    if (next !== undefined) {
      share.waiting.delete(next);
      next();
      return;
    }
    share.taken -= 1;
    if (share.taken === 0) shares.delete(requester);
  }
  function wait({ waiting }: Share, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        if (waiting.delete(begin)) reject(new Error("no place became free in time"));
      }, timeoutMs);
      waiting.add(begin);
    });
  }
  return {
    take: async (requester, timeoutMs) => {
      const share = shares.get(requester) ?? { taken: 0, waiting: new Set() };
      shares.set(requester, share);
      if (share.taken >= placesEach) await wait(share, timeoutMs);
      else share.taken += 1;
      return () => giveBack(requester, share);
    },
  };
}
