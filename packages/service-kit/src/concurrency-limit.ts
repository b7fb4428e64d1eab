/** Releases a place. Further calls have no effect. */
export type Leave = () => void;

/** The caller of a turn. Of turns with the same `alone`, one holds a place at a time. */
export interface Turn {
  readonly caller: string;
  readonly alone?: string;
}

/** Waits for a place. Refuses: TooBusy when the queue is full, or when no place was free in time. */
export type WaitForTurn = (turn: Turn) => Promise<Leave>;

/** No place was free in time. */
export class TooBusy extends Error {
  override readonly name = "TooBusy";
}

/** `atOnce` places, at most `mostWaiting` turns in the queue, each for at most `waitMs`. */
export interface ConcurrencyConfig {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly turn: Turn;
  readonly admit: (leave: Leave) => void;
}

/**
 * Makes a limit on concurrent work. A free place goes to the waiting caller with the fewest places, then in order of
 * arrival, so that a caller with many turns cannot block the others.
 *
 * Source: decision V25 (fairness).
 */
export function createConcurrencyLimit({ atOnce, mostWaiting, waitMs }: ConcurrencyConfig): WaitForTurn {
  const queue: Waiting[] = [];
  const heldBy = new Map<string, number>();
  const heldAlone = new Set<string>();
  let held = 0;

  function mayEnter({ alone }: Turn): boolean {
    return held < atOnce && (alone === undefined || !heldAlone.has(alone));
  }

  function take({ caller, alone }: Turn): Leave {
    held += 1;
    heldBy.set(caller, (heldBy.get(caller) ?? 0) + 1);
    if (alone !== undefined) heldAlone.add(alone);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held -= 1;
      const left = (heldBy.get(caller) as number) - 1;
      if (left === 0) heldBy.delete(caller);
      else heldBy.set(caller, left);
      if (alone !== undefined) heldAlone.delete(alone);
      admitWaiting();
    };
  }

  function admitWaiting(): void {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      queue.splice(queue.indexOf(next), 1);
      next.admit(take(next.turn));
    }
  }

  function findNext(): Waiting | undefined {
    const places = ({ turn }: Waiting): number => heldBy.get(turn.caller) ?? 0;
    return queue
      .filter(({ turn }) => mayEnter(turn))
      .reduce<Waiting | undefined>((best, one) => (best && places(best) <= places(one) ? best : one), undefined);
  }

  return async (turn) => {
    if (mayEnter(turn)) return take(turn);
    if (queue.length >= mostWaiting) throw new TooBusy("as many turns wait as may");
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    const waiting: Waiting = { turn, admit: resolve };
    queue.push(waiting);
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1);
      reject(new TooBusy(`no place was free within ${waitMs} ms`));
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  };
}
