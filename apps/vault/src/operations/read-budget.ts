import { createShares } from "@dataspace/outgoing/shares";
import type { Caller } from "../caller/caller.ts";
import { refusal } from "../errors.ts";

/**
 * The remaining cost of one request: bytes that it loads and bytes that it answers, and its caller's share of
 * concurrent reads.
 */
export interface ReadBudget {
  /** Runs a read that may take long, one at a time per request. Refuses: BUSY when its caller has too many waiting. */
  readonly run: <T>(read: () => Promise<T>) => Promise<T>;
  /**
   * Takes bytes from the budget. Refuses: RESULT_TOO_LARGE above the request's, BUSY above its caller's or the
   * process's.
   */
  readonly take: (bytes: number) => void;
  /** Releases what was taken, once the answer is sent or nobody reads it any more. */
  readonly release: () => void;
}

/** Opens the budget of a request. Refuses: never. */
export type OpenReadBudget = (caller: Caller) => ReadBudget;

/** Bytes of one request, of one caller's requests together, and of all. */
export interface ReadBytes {
  readonly perRequest: number;
  readonly perCaller: number;
  readonly all: number;
}

const MIB = 1_048_576;

/** One caller may use a quarter of the total. Source: decision V25. */
export const READ_BYTES: ReadBytes = { perRequest: 64 * MIB, perCaller: 64 * MIB, all: 256 * MIB };

/** Of the pool's twelve connections one caller may use a quarter, and a quarter stays free for short work. */
const SHARES = { total: 9, each: 3 };
const MOST_WAITING = 100;
const WAIT_MS = 10_000;

/**
 * Makes the budgets of requests. Code that loads rows asks for their bytes first, so the limit applies before memory is
 * used.
 *
 * Source: decision V25.
 */
export function createReadBudgets(bytes: ReadBytes): OpenReadBudget {
  const inShare = createInShare();
  const heldByCaller = new Map<string, number>();
  let heldByAll = 0;
  function hold(holder: string, more: number): void {
    const held = (heldByCaller.get(holder) ?? 0) + more;
    if (held === 0) heldByCaller.delete(holder);
    else heldByCaller.set(holder, held);
    heldByAll += more;
  }
  return (caller) => {
    const holder = holderOf(caller);
    let taken = 0;
    let before: Promise<unknown> = Promise.resolve();
    return {
      run: (read) => {
        const turn = before.then(() => inShare(holder, read));
        before = turn.catch(() => undefined);
        return turn;
      },
      take: (more) => {
        if (taken + more > bytes.perRequest) throw tooLarge(bytes.perRequest);
        const ofCaller = (heldByCaller.get(holder) ?? 0) + more;
        if (ofCaller > bytes.perCaller || heldByAll + more > bytes.all) throw tooMany();
        taken += more;
        hold(holder, more);
      },
      release: () => {
        hold(holder, -taken);
        taken = 0;
      },
    };
  };
}

/** Runs a read when a place is free. Refuses: BUSY when its caller has too many waiting, or the wait is too long. */
function createInShare(): <T>(holder: string, read: () => Promise<T>) => Promise<T> {
  const shares = createShares(SHARES);
  const waiting = new Map<string, number>();
  return async (holder, read) => {
    const count = waiting.get(holder) ?? 0;
    if (count >= MOST_WAITING) throw tooMany();
    waiting.set(holder, count + 1);
    const release = await shares.take({ holder, amount: 1, timeoutMs: WAIT_MS });
    const left = (waiting.get(holder) ?? 1) - 1;
    if (left === 0) waiting.delete(holder);
    else waiting.set(holder, left);
    if (release === undefined) throw tooMany();
    try {
      return await read();
    } finally {
      release();
    }
  };
}

function holderOf({ credential, subject, platform, owner }: Caller): string {
  return `${credential} ${subject ?? platform ?? owner}`;
}

function tooLarge(bytes: number) {
  const message = `What this request reads and answers is larger than ${bytes / MIB} MiB; ask for fewer records or fields at once.`;
  return refusal("RESULT_TOO_LARGE", message);
}

function tooMany() {
  return refusal(
    "BUSY",
    "As many large reads as are admitted at once are being served; send this one again in a moment.",
  );
}
