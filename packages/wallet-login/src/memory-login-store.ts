import type { LoginStore } from "./login-store.ts";
import { createPendingLogins } from "./pending-logins.ts";
import type { Signer } from "./wallet-check.ts";

/** How many logins may wait, and for how long each. */
export interface MemoryLoginStoreConfig {
  readonly most: number;
  readonly sessionSeconds: number;
}

/** The bounds that the specification sets for logins. Source: S2 "Limits"; decision L12. */
export const DEFAULT_LOGIN_BOUNDS: MemoryLoginStoreConfig = { most: 12_000, sessionSeconds: 300 };

const SWEEP_MS = 1_000;
/** A login whose answers fail gets a new session each time, but no longer than this. */
const LONGEST_SECONDS = 3_600;

/**
 * Makes a store in the memory of one process. A full store opens no login and never drops a live one. It removes logins that are over
 * when it needs the room, at most once a second.
 *
 * Refuses: never; refusals are values. Source: decisions L4, L12.
 */
export function createMemoryLoginStore(
  deps: { readonly clock: { readonly nowMs: () => number } },
  { most, sessionSeconds }: MemoryLoginStoreConfig = DEFAULT_LOGIN_BOUNDS,
): LoginStore {
  const logins = createPendingLogins<undefined, Signer>(deps, {
    most,
    sessionSeconds,
    renewableSeconds: 0,
    longestSeconds: LONGEST_SECONDS,
  });
  let sweptAtMs = Number.NEGATIVE_INFINITY;
  const openWithRoom = (): string | undefined => {
    const secret = logins.open(undefined);
    if (secret !== undefined || deps.clock.nowMs() - sweptAtMs < SWEEP_MS) return secret;
    sweptAtMs = deps.clock.nowMs();
    logins.sweep();
    return logins.open(undefined);
  };
  return {
    open: (given) => {
      // A session whose answer was refused is replaced in place.
      if (logins.find(given)?.state === "failed") logins.renew(given);
      const secret = logins.find(given) === undefined ? openWithRoom() : given;
      const session = logins.find(secret)?.session;
      return secret === undefined || session === undefined ? undefined : { session, secret };
    },
    find: (secret) => logins.find(secret)?.state,
    answer: logins.answer,
    take: (secret) => logins.take(secret)?.ename,
  };
}
