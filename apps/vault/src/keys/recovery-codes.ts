import { createOneTimeCode, ONE_TIME_CODE_LIFETIME_MS } from "@dataspace/service-kit/one-time-code";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { deleteExpiredRecoveryCodes, insertRecoveryCode } from "../store/recovery-code-rows.ts";

/** The prefix of a recovery code. Source: decision I6. */
export const RECOVERY_CODE_PREFIX = "dsr_";

const MOST_AT_ONCE = 1_000;

/**
 * Issues a recovery code: with it an owner who has lost every device adds one key, once, within 24 hours.
 *
 * Out: the code, `dsr_` and 32 random bytes in base64url. Only its hash is stored, and it is shown only now.
 * Source: decision I6 (`dataspace recovery issue`).
 */
export async function issueRecoveryCode(
  deps: { readonly database: Queryable; readonly clock: Clock },
  owner: EName,
): Promise<string> {
  const { code, codeHash } = createOneTimeCode(RECOVERY_CODE_PREFIX);
  const nowMs = deps.clock.nowMs();
  const use = { owner, codeHash, at: new Date(nowMs).toISOString() };
  await insertRecoveryCode(deps.database, use, new Date(nowMs + ONE_TIME_CODE_LIFETIME_MS).toISOString());
  return code;
}

/** Deletes recovery codes that have expired. Out: how many. Refuses: the database's errors. Source: decision I6. */
export function sweepRecoveryCodes(deps: { readonly database: Queryable; readonly clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.nowMs()).toISOString();
  return deleteExpiredRecoveryCodes(deps.database, { before, atMost: MOST_AT_ONCE });
}
