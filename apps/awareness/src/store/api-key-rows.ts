import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { lockConsumer } from "./consumer-rows.ts";

/** An API key as its consumer sees it later: `id` is its first characters. */
export interface ApiKey {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
}

/** What is stored of a new API key: its SHA-256, never the key. `at` is ISO 8601. */
export interface NewApiKey {
  readonly consumerId: string;
  readonly keyHash: Buffer;
  readonly id: string;
  readonly label: string;
  readonly at: string;
}

/** Stores an API key unless its consumer already has `max`. Out: whether it was stored. */
export async function addApiKey(tx: Queryable, key: NewApiKey, max: number): Promise<boolean> {
  await lockConsumer(tx, key.consumerId);
  const { rowCount } = await tx.query({
    text: `insert into api_key (key_hash, consumer_id, label, prefix, created_at)
           select $1, $2, $3, $4, $5::timestamptz
            where (select count(*) from api_key where consumer_id = $2 and revoked_at is null) < $6`,
    values: [key.keyHash, key.consumerId, key.label, key.id, key.at, max],
  });
  return rowCount === 1;
}

/** Lists the API keys of a consumer that are not revoked, oldest first. */
export async function listApiKeys(on: Queryable, consumerId: string): Promise<readonly ApiKey[]> {
  const { rows } = await on.query<{ id: string; label: string; at: Date }>({
    text: `select prefix as id, label, created_at as at from api_key
            where consumer_id = $1 and revoked_at is null order by created_at, prefix`,
    values: [consumerId],
  });
  return rows.map(({ id, label, at }) => ({ id, label, createdAt: at.toISOString() }));
}

/** Revokes an API key of a consumer. Out: whether there was one. */
export async function revokeApiKey(
  on: Queryable,
  key: { readonly consumerId: string; readonly id: string; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await on.query({
    text: "update api_key set revoked_at = $3 where consumer_id = $1 and prefix = $2 and revoked_at is null",
    values: [key.consumerId, key.id, key.at],
  });
  return rowCount > 0;
}
