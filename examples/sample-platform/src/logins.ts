import { createHash, randomBytes } from "node:crypto";
import { isUnknownEName } from "@dataspace/clients/certified-keys";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { LRUCache } from "lru-cache";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";

/** A login that waits for a wallet: the session to sign, and the secret of the browser that started it. */
export interface OpenLogin {
  readonly session: string;
  readonly keep: string;
}

/** The body that a wallet posts. */
export interface WalletAnswer {
  readonly ename: EName;
  readonly session: string;
  readonly signature: string;
}

/** Logins: a browser starts one, a wallet signs it, and the same browser collects it, once. */
export interface Logins {
  /** Continues the browser's login, or opens one. Refuses: TOO_MANY_LOGINS (503) at the limit of waiting logins. */
  readonly open: (secret: string | undefined) => OpenLogin;
  /** Whether `open` would continue the browser's login. */
  readonly isWaiting: (secret: string | undefined) => boolean;
  /** Refuses: UNKNOWN_SESSION (404), SESSION_USED (409), INVALID_SIGNATURE (401), KEYS_UNAVAILABLE (503). */
  readonly answer: (answer: WalletAnswer) => Promise<void>;
  /** Returns who signed the browser's login; undefined the second time. */
  readonly collect: (secret: string | undefined) => EName | undefined;
}

/** The dependencies of logins. */
export interface LoginsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hasSigned: HasSigned;
}

/** How long a code is valid. Source: S2 "Limits". */
export const LOGIN_SECONDS = 300;

const MOST_LOGINS = 12_000;
const BROWSER_BYTES = 32;

/** The state of a session: a wallet may answer it, its answer is being checked, it is accepted, or it is over. */
type State = { readonly is: "open" | "answered" | "ended" } | { readonly is: "signed"; readonly by: EName };

/**
 * Makes the logins of a platform, in memory.
 *
 * The wallet signs the hash of a secret that only the browser has: whoever sees the code, or signs it, cannot collect
 * the login. Each session is answered once, and an invalid answer ends it. Keys are looked up again at each answer, so
 * a removed key is refused. At most 12,000 logins are stored; a live one is never evicted.
 * Source: S2 "Login flow", "States and transitions", "Authentication"; decisions L4, L12.
 */
export function createLogins(deps: LoginsDeps): Logins {
  const states = new LRUCache<string, State>({
    max: MOST_LOGINS,
    ttl: LOGIN_SECONDS * 1000,
    ttlResolution: 0,
    perf: { now: deps.clock.nowMs },
  });
  const move = (session: string, state: State): unknown => states.set(session, state, { noUpdateTTL: true });
  // Also while an answer is checked: a poll at that moment must not lose the login.
  const isWaiting = (secret: string | undefined): secret is string =>
    secret !== undefined && !isOver(states.get(sessionOf(secret)));
  return {
    isWaiting,
    open: (secret) => {
      if (isWaiting(secret)) return { session: sessionOf(secret), keep: secret };
      assertCapacity(states);
      const keep = randomBytes(BROWSER_BYTES).toString("base64url");
      const session = sessionOf(keep);
      move(session, { is: "open" });
      return { session, keep };
    },
    answer: async (answer) => {
      const { ename, session } = answer;
      assertOpen(states.get(session));
      move(session, { is: "answered" });
      try {
        await assertSigned(deps, answer);
      } catch (error) {
        move(session, { is: "ended" });
        throw error;
      }
      if (!states.has(session)) throw unknownSession();
      move(session, { is: "signed", by: ename });
    },
    collect: (secret) => {
      const session = secret === undefined ? undefined : sessionOf(secret);
      const state = session === undefined ? undefined : states.get(session);
      if (session === undefined || state?.is !== "signed") return undefined;
      move(session, { is: "ended" });
      return state.by;
    },
  };
}

function assertCapacity(states: LRUCache<string, State>): void {
  if (states.size < MOST_LOGINS) return;
  states.purgeStale();
  if (states.size < MOST_LOGINS) return;
  throw refusal("TOO_MANY_LOGINS", 503, "Too many logins wait for a wallet now. Load the page again in a few minutes.");
}

function isOver(state: State | undefined): boolean {
  return state === undefined || state.is === "ended";
}

function sessionOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function assertOpen(state: State | undefined): void {
  if (state === undefined) throw unknownSession();
  if (state.is !== "open") {
    throw refusal("SESSION_USED", 409, "This code was used already. Load the login page again for a new one.");
  }
}

function unknownSession(): Refusal {
  return refusal("UNKNOWN_SESSION", 404, "This code is not one of ours, or too old. Load the login page again.");
}

async function assertSigned(
  { hasSigned, log }: LoginsDeps,
  { ename, session, signature }: WalletAnswer,
): Promise<void> {
  const isSigned = await hasSigned({ signer: ename, text: session, signature, fresh: true }).catch((error: unknown) => {
    if (isUnknownEName(error)) return false;
    if (!(error instanceof UpstreamError)) throw error;
    // Which of them does not answer, and whether its address was contacted at all, is for the log only.
    log.warn({ err: error, ename }, "the certified keys of an eName are not available");
    throw refusal(
      "KEYS_UNAVAILABLE",
      503,
      "The registry or the eName's vault does not answer now. Try again in a while.",
    );
  });
  if (!isSigned) {
    throw refusal("INVALID_SIGNATURE", 401, "The session is not signed by a key that is certified for this eName.");
  }
}

function refusal(code: string, status: number, message: string): Refusal {
  return new Refusal(code, message, { status });
}
