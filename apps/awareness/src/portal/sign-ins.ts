import { createHash, randomBytes } from "node:crypto";
import { isUnknownEName } from "@dataspace/clients/certified-keys";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import type { HasSigned } from "@dataspace/clients/has-signed";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { addSignIn, isSignInOpen, noteSigner, takeSignIn } from "../store/sign-in-rows.ts";

/** A sign-in on its page: `session` is what the wallet signs, `uri` what it opens. */
export interface OpenSignIn {
  readonly session: string;
  readonly uri: string;
}

/** The wallet's answer: its eName, the session, and the signature. */
export interface WalletAnswer {
  readonly ename: EName;
  readonly session: string;
  readonly signature: string;
}

/** Signing in by wallet: a browser starts it, a wallet signs, the same browser completes it. */
export interface SignIns {
  /**
   * Continues the browser's sign-in, or opens one. Out: also the secret for the browser's cookie, if it is new.
   * Refuses: TOO_MANY_SIGN_INS while 12,000 are open.
   */
  readonly open: (secret: string | undefined) => Promise<OpenSignIn & { readonly keep: string | undefined }>;
  /** Refuses: INVALID_SIGNATURE, SIGN_IN_OVER, REGISTRY_UNAVAILABLE. */
  readonly answer: (answer: WalletAnswer) => Promise<void>;
  /** Completes the browser's sign-in, once it is signed. */
  readonly take: (secret: string | undefined) => Promise<EName | undefined>;
}

/** The dependencies of sign-ins. */
export interface SignInsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasSigned: HasSigned;
}

/** The lifetime of a login's session. Source: S2 "Sessions" (300 seconds). */
export const SIGN_IN_SECONDS = 300;

const PLATFORM = "Dataspace awareness";
const BROWSER_BYTES = 32;

/**
 * Makes the sign-ins of the portal. The wallet signs the SHA-256 of a secret that only the browser has. So whoever sees
 * the code, or signs it, cannot complete the sign-in; only the browser that started it can, once.
 *
 * Keys are looked up again at each answer, so a removed key signs nobody in. Source: S2 "Authentication"; decisions E7,
 * I8.
 */
export function createSignIns(deps: SignInsDeps, config: { readonly publicUrl: () => string }): SignIns {
  const { database, clock } = deps;
  const isoAt = (ms: number): string => new Date(ms).toISOString();
  const toOpen = (session: string): OpenSignIn => {
    const redirect = `${config.publicUrl()}/portal/callback`;
    return { session, uri: makeAuthUri({ redirect, session, platform: PLATFORM }) };
  };
  return {
    open: async (secret) => {
      const known = secret === undefined ? undefined : sessionOf(secret);
      const nowMs = clock.nowMs();
      if (known !== undefined && (await isSignInOpen(database, known, isoAt(nowMs)))) {
        return { ...toOpen(known), keep: undefined };
      }
      const keep = randomBytes(BROWSER_BYTES).toString("base64url");
      const session = sessionOf(keep);
      const times = { at: isoAt(nowMs), expiresAt: isoAt(nowMs + SIGN_IN_SECONDS * 1000) };
      if (!(await addSignIn(database, { session, ...times }))) {
        throw awarenessRefusal(
          "TOO_MANY_SIGN_INS",
          "Too many sign-ins wait for a wallet now; open the page again in a few minutes.",
        );
      }
      return { ...toOpen(session), keep };
    },
    answer: async ({ ename, session, signature }) => {
      if (!(await isSignInOpen(database, session, isoAt(clock.nowMs())))) throw over();
      if (!(await isSignedNow(deps, { ename, session, signature }))) {
        throw awarenessRefusal("INVALID_SIGNATURE", "The session is not signed by a key in force of this eName.");
      }
      if (!(await noteSigner(database, { session, ename, at: isoAt(clock.nowMs()) }))) throw over();
    },
    take: async (secret) =>
      secret === undefined ? undefined : takeSignIn(database, sessionOf(secret), isoAt(clock.nowMs())),
  };
}

async function isSignedNow(deps: SignInsDeps, { ename, session, signature }: WalletAnswer): Promise<boolean> {
  try {
    return await deps.hasSigned({ signer: ename, text: session, signature, fresh: true });
  } catch (error) {
    if (isUnknownEName(error)) return false;
    // Which of them does not answer, and whether its address was contacted at all, is for the log only.
    deps.log.warn({ err: error, ename }, "the certified keys of an eName are not available");
    throw awarenessRefusal("REGISTRY_UNAVAILABLE", "The registry or the eName's vault does not answer; try again.");
  }
}

function sessionOf(secret: string): string {
  return createHash("sha256").update(`ds:portal-sign-in:v1:${secret}`).digest("base64url");
}

function over(): Error {
  return awarenessRefusal("SIGN_IN_OVER", "This code is used up or too old; open the sign-in page again.");
}
