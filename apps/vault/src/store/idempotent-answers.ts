import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Which request of whom: an Idempotency-Key counts for one owner and one caller. The hashes are SHA-256. */
export interface IdempotentRequest {
  readonly owner: EName;
  readonly caller: string;
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
}

/** What an earlier request with the same key left: the hash of its body, and its answer as it was sent. */
export interface KeptAnswer {
  readonly bodyHash: Buffer;
  readonly answer: string;
}

/**
 * Claims a key within the transaction that will do the request's writes, or finds what an earlier request left. A request with
 * the same key that is under way is waited for: when it commits its answer is found, when it fails the key is free.
 *
 * In: times in ISO 8601. Out: undefined when the key is this request's. Source: decision V20.
 */
export async function claimKey(
  transaction: Queryable,
  { owner, caller, keyHash, bodyHash }: IdempotentRequest,
  { now, expiresAt }: { readonly now: string; readonly expiresAt: string },
): Promise<KeptAnswer | undefined> {
  const claimed = await transaction.query({
    name: "key:claim",
    text: `insert into idempotent_answer as kept (owner, caller, key_hash, body_hash, expires_at)
      values ($1, $2, $3, $4, $5::timestamptz)
      on conflict (owner, caller, key_hash) do update
        set body_hash = excluded.body_hash, expires_at = excluded.expires_at, answer = null
        where kept.expires_at <= $6::timestamptz`,
    values: [owner, caller, keyHash, bodyHash, expiresAt, now],
  });
  if (claimed.rowCount === 1) return undefined;
  const found = await transaction.query<KeptAnswer>({
    name: "key:answer",
    text: `select body_hash as "bodyHash", answer from idempotent_answer
      where owner = $1 and caller = $2 and key_hash = $3`,
    values: [owner, caller, keyHash],
  });
  const [kept] = found.rows;
  if (kept === undefined) throw new Error("an idempotency key was neither free nor taken");
  return kept;
}

/** Keeps the answer to a request, in the transaction of its writes. */
export async function keepAnswer(
  transaction: Queryable,
  { owner, caller, keyHash }: IdempotentRequest,
  answer: string,
): Promise<void> {
  await transaction.query({
    name: "key:keep",
    text: "update idempotent_answer set answer = $4 where owner = $1 and caller = $2 and key_hash = $3",
    values: [owner, caller, keyHash, answer],
  });
}

/** Deletes some expired answers, the oldest first, and skips those that another request has locked. Out: how many. */
export function deleteExpiredAnswers(
  database: Queryable,
  { now, atMost }: { readonly now: string; readonly atMost: number },
): Promise<number> {
  return deleteExpired(database, { table: "idempotent_answer", before: now, atMost });
}
