import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A recovery code of an owner, as its SHA-256, and the time of the check (ISO 8601). */
export interface RecoveryCodeUse {
  readonly owner: EName;
  readonly codeHash: Buffer;
  readonly at: string;
}

/** Stores a new recovery code until it expires (ISO 8601). */
export async function insertRecoveryCode(
  database: Queryable,
  { owner, codeHash, at }: RecoveryCodeUse,
  expiresAt: string,
): Promise<void> {
  await database.query({
    text: "insert into recovery_code (owner, code_hash, issued_at, expires_at) values ($1, $2, $3::timestamptz, $4::timestamptz)",
    values: [owner, codeHash, at, expiresAt],
  });
}

/** Checks whether a recovery code of an owner is valid at a time. */
export async function isGoodRecoveryCode(
  database: Queryable,
  { owner, codeHash, at }: RecoveryCodeUse,
): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `select 1 from recovery_code
      where owner = $1 and code_hash = $2 and spent_at is null and expires_at > $3::timestamptz`,
    values: [owner, codeHash, at],
  });
  return rowCount === 1;
}

/** Spends a recovery code within the transaction that adds the key. Out: false when it is no longer valid. */
export async function spendRecoveryCode(
  transaction: Queryable,
  { owner, codeHash, at }: RecoveryCodeUse,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    text: `update recovery_code set spent_at = $3::timestamptz
      where owner = $1 and code_hash = $2 and spent_at is null and expires_at > $3::timestamptz`,
    values: [owner, codeHash, at],
  });
  return rowCount === 1;
}

/** Deletes recovery codes that expired before a time (ISO 8601), spent or not, up to a number. Out: how many. */
export async function deleteExpiredRecoveryCodes(
  database: Queryable,
  { before, atMost }: { readonly before: string; readonly atMost: number },
): Promise<number> {
  const { rowCount } = await database.query({
    text: `delete from recovery_code where (owner, code_hash) in
      (select owner, code_hash from recovery_code where expires_at <= $1::timestamptz limit $2)`,
    values: [before, atMost],
  });
  return rowCount;
}
