import { createHash, randomBytes } from "node:crypto";
import type { LoginStore } from "./login-store.ts";
import { addSignIn, findSignIn, noteSigner, type SignInTable, takeSignIn } from "./sign-in-rows.ts";

/** How long a code may be signed. Source: S2 "Login session" (300 seconds). */
export const SIGN_IN_SECONDS = 300;

const SECRET_BYTES = 32;

/**
 * Makes the store of sign-ins in PostgreSQL, so that any process of the service can finish one. The session that a wallet signs is the
 * SHA-256 of the browser's secret, so the table holds nothing with which a sign-in could be taken. The service's migrations make
 * the table: `session text primary key`, `ename text`, `expires_at timestamptz not null` with an index.
 *
 * A wrong answer does not end a sign-in. Several answers to one session may be checked at the same time; the first that holds signs it.
 * Refuses: the database's errors. Source: S2 "Browser binding", "Single use"; decisions E7, L12.
 */
export function createPostgresLoginStore({
  clock,
  ...signIns
}: SignInTable & { readonly clock: { readonly nowMs: () => number } }): LoginStore {
  const isoIn = (seconds: number): string => new Date(clock.nowMs() + seconds * 1000).toISOString();
  return {
    open: async (given) => {
      if (given !== undefined && (await findSignIn(signIns, sessionOf(given), isoIn(0))) !== undefined) {
        return { session: sessionOf(given), secret: given };
      }
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const session = sessionOf(secret);
      const isAdded = await addSignIn(signIns, { session, at: isoIn(0), expiresAt: isoIn(SIGN_IN_SECONDS) });
      return isAdded ? { session, secret } : undefined;
    },
    find: (secret) => findSignIn(signIns, sessionOf(secret), isoIn(0)),
    answer: async (session, check) => {
      if ((await findSignIn(signIns, session, isoIn(0))) === undefined) return { failure: "unknown_session" };
      const outcome = await check();
      if ("failure" in outcome) return outcome;
      const isNoted = await noteSigner(signIns, { session, ename: outcome.signed.ename, at: isoIn(0) });
      return isNoted ? outcome : { failure: "session_used" };
    },
    take: (secret) => takeSignIn(signIns, sessionOf(secret), isoIn(0)),
  };
}

function sessionOf(secret: string): string {
  return createHash("sha256").update(`ds:portal-sign-in:v1:${secret}`).digest("base64url");
}
