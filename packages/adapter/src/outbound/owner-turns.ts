/** Other rows of this owner are being sent, and the vault is slow. */
export class OwnerBusy extends Error {
  readonly code = "OWNER_BUSY";
}

/** Bounds what is under way for one owner, so that a vault that does not answer does not delay the others. */
export interface OwnerTurns {
  /** Runs `act` when one of the owner's places is free. Refuses: OWNER_BUSY while the owner's vault is slow or 16 others wait; what `act` refuses. */
  readonly run: <T>(owner: string, act: () => Promise<T>) => Promise<T>;
}

/** What is under way for one owner, by the time when it began, and who waits for a place. */
interface Owner {
  readonly begunMs: number[];
  readonly waiting: Set<() => void>;
}

const PLACES = 4;
/** An owner is slow once something has been under way for so long. */
const SLOW_MS = 1_000;
const LOOK_MS = 100;
/** Those that wait for a place of one owner; more are sent later. */
const MOST_WAITING = 16;

/** Makes the turns of all owners. Refuses: never. */
export function createOwnerTurns(clock: { readonly nowMs: () => number }): OwnerTurns {
  const owners = new Map<string, Owner>();
  const enter = async (ename: string): Promise<{ readonly owner: Owner; readonly begunMs: number }> => {
    for (;;) {
      const owner = owners.get(ename) ?? { begunMs: [], waiting: new Set() };
      owners.set(ename, owner);
      // The place is taken before anything else runs, since several may enter at once.
      if (owner.begunMs.length < PLACES) {
        const begunMs = clock.nowMs();
        owner.begunMs.push(begunMs);
        return { owner, begunMs };
      }
      const isSlow = owner.begunMs.some((begunMs) => clock.nowMs() - begunMs >= SLOW_MS);
      if (isSlow || owner.waiting.size >= MOST_WAITING)
        throw new OwnerBusy("The owner's vault is slow; its other rows wait.");
      await waitForPlace(owner);
    }
  };
  return {
    run: async (ename, act) => {
      const { owner, begunMs } = await enter(ename);
      try {
        return await act();
      } finally {
        owner.begunMs.splice(owner.begunMs.indexOf(begunMs), 1);
        for (const wake of owner.waiting) wake();
        if (owner.begunMs.length === 0 && owners.get(ename) === owner) owners.delete(ename);
      }
    },
  };
}

/** Waits until a place is free, or until it is time to look whether the owner is slow. */
function waitForPlace({ waiting }: Owner): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, LOOK_MS);
    waiting.add(wake);
  });
}
