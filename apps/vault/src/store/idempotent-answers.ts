import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * The identity of a keyed request: an Idempotency-Key is valid for one owner and one caller. The hashes are SHA-256.
 */
export interface IdempotentRequest {
  readonly owner: EName;
  readonly caller: string;
  readonly keyHash: Buffer;
  readonly bodyHash: Buffer;
}

/** The stored result of an earlier request with the same key: the hash of its body, and its answer; null once it is erased. */
export interface StoredAnswer {
  readonly bodyHash: Buffer;
  readonly answer: string | null;
}

/**
 * Claims a key within the transaction of the request's writes, or finds an earlier request's result. It waits for a
 * concurrent request with the same key: when that commits, its answer is found; when it fails, the key is free.
 *
 * In: times in ISO 8601. Out: undefined when the key is this request's. Source: decision V20.
 */
export async function claimKey(
  transaction: Queryable,
  { owner, caller, keyHash, bodyHash }: IdempotentRequest,
  { now, expiresAt }: { readonly now: string; readonly expiresAt: string },
): Promise<StoredAnswer | undefined> {
  const claimed = await transaction.query({
    name: "key:claim",
    text: `insert into idempotent_answer as stored (owner, caller, key_hash, body_hash, expires_at)
      values ($1, $2, $3, $4, $5::timestamptz)
      on conflict (owner, caller, key_hash) do update
        set body_hash = excluded.body_hash, expires_at = excluded.expires_at, answer = null
        where stored.expires_at <= $6::timestamptz`,
    values: [owner, caller, keyHash, bodyHash, expiresAt, now],
  });
  if (claimed.rowCount === 1) return undefined;
  const found = await transaction.query<StoredAnswer>({
    name: "key:answer",
    text: `select body_hash as "bodyHash", answer from idempotent_answer
      where owner = $1 and caller = $2 and key_hash = $3`,
    values: [owner, caller, keyHash],
  });
  const [stored] = found.rows;
  if (stored === undefined) throw new Error("an idempotency key was neither free nor taken");
  return stored;
}

/** Stores the answer to a request, in the transaction of its writes. */
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

/** Deletes some expired answers, oldest first, and skips locked ones. Out: how many. */
export function deleteExpiredAnswers(
  database: Queryable,
  { now, atMost }: { readonly now: string; readonly atMost: number },
): Promise<number> {
  return deleteExpired(database, { table: "idempotent_answer", before: now, atMost });
}
