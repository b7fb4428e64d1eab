import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { provisionerRefusal } from "./errors.ts";

/**
 * Issues a verification code that is valid for one vault.
 *
 * Out: the code, which is stored nowhere and shown only now. Refuses: never by itself.
 * Source: decision V17 (`dataspace verification issue`).
 */
export async function issueVerificationCode(database: Queryable, clock: Clock): Promise<string> {
  const code = randomUUID();
  await database.query({
    text: "insert into verification_code (code_hash, issued_at_ms) values ($1, $2)",
    values: [hashCode(code), clock.nowMs()],
  });
  return code;
}

/**
 * Uses up a verification code for one entropy, in the transaction that creates the vault. The same entropy may present
 * its code again; the entropy's own check recognises a repeated request.
 *
 * Refuses: INVALID_VERIFICATION for a code that was never issued, VERIFICATION_USED for one that another entropy used.
 * Source: decision V17.
 */
export async function useVerificationCode(
  transaction: Queryable,
  use: { readonly code: string; readonly entropyHash: Buffer; readonly nowMs: number },
): Promise<void> {
  const { rowCount } = await transaction.query({
    name: "verification-code-use",
    text: `update verification_code set used_at_ms = $3, used_by_entropy_hash = $2
           where code_hash = $1 and used_at_ms is null`,
    values: [hashCode(use.code), use.entropyHash, use.nowMs],
  });
  if (rowCount === 1) return;
  const { rows } = await transaction.query<{ used_by_entropy_hash: Buffer }>({
    name: "verification-code-find",
    text: "select used_by_entropy_hash from verification_code where code_hash = $1",
    values: [hashCode(use.code)],
  });
  if (rows[0] === undefined) {
    throw provisionerRefusal("INVALID_VERIFICATION", "verificationId is unknown; ask the operator for a code.");
  }
  if (!rows[0].used_by_entropy_hash.equals(use.entropyHash)) {
    throw provisionerRefusal("VERIFICATION_USED", "verificationId was used before; ask the operator for a new code.");
  }
}

function hashCode(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}
