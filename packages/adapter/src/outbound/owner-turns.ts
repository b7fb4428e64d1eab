import { setTimeout as delay } from "node:timers/promises";

/** Other rows of this owner are being sent, and the vault is slow. */
export class OwnerBusy extends Error {
  readonly code = "OWNER_BUSY";
}

/** Bounds what is under way for one owner, so that a vault that does not answer does not delay the others. */
export interface OwnerTurns {
  /** Runs `act` when one of the owner's places is free. Refuses: OWNER_BUSY while the owner's vault is slow; what `act` refuses. */
  readonly run: <T>(owner: string, act: () => Promise<T>) => Promise<T>;
}

/** What is under way for one owner, by the time when it began, and who waits for a place. */
interface Owner {
  readonly begunMs: number[];
  readonly waiting: (() => void)[];
}

const PLACES = 4;
/** An owner is slow once something has been under way for so long. */
const SLOW_MS = 1_000;
const LOOK_MS = 100;

/** Makes the turns of all owners. Refuses: never. */
export function createOwnerTurns(clock: { readonly nowMs: () => number }): OwnerTurns {
  const owners = new Map<string, Owner>();
  const enter = async (ename: string): Promise<Owner> => {
    for (;;) {
      const owner = owners.get(ename) ?? { begunMs: [], waiting: [] };
      owners.set(ename, owner);
      if (owner.begunMs.length < PLACES) return owner;
      if (owner.begunMs.some((begunMs) => clock.nowMs() - begunMs >= SLOW_MS))
        throw new OwnerBusy("The owner's vault is slow; its other rows wait.");
      await waitForPlace(owner);
    }
  };
  return {
    run: async (ename, act) => {
      const owner = await enter(ename);
      const begunMs = clock.nowMs();
      owner.begunMs.push(begunMs);
      try {
        return await act();
      } finally {
        owner.begunMs.splice(owner.begunMs.indexOf(begunMs), 1);
        for (const wake of owner.waiting.splice(0)) wake();
        if (owner.begunMs.length === 0 && owners.get(ename) === owner) owners.delete(ename);
      }
    },
  };
}

async function waitForPlace(owner: Owner): Promise<void> {
  const freed = new Promise<void>((resolve) => owner.waiting.push(resolve));
  const timer = new AbortController();
  await Promise.race([freed, delay(LOOK_MS, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
