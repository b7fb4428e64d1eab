import { randomUUID } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { StoredClaim } from "../matching/stored-claim.ts";

/**
 * A stored consumer; `approved` is an operator's approval as the platform `platform`, `claim` what it has proven by
 * evidence.
 */
export interface Consumer {
  readonly id: string;
  readonly name: string;
  readonly ename: EName | null;
  readonly platform: string | null;
  readonly approved: boolean;
  readonly claim: StoredClaim | null;
}

/** The development stack's own consumer, which needs no credential. Source: decision E9. */
export const DEV_CONSUMER: Consumer = {
  id: "00000000-0000-4000-8000-000000000dec",
  name: "dev",
  ename: null,
  platform: null,
  approved: true,
  claim: null,
};

/** The columns of a consumer, of a table with the alias `c`. */
export const CONSUMER_COLUMNS = "c.id, c.name, c.ename, c.platform, c.approved, c.claim::json as claim";

/** Finds the consumer of an eName, or creates it. `at` is ISO 8601. */
export async function findOrAddConsumer(on: Queryable, ename: EName, at: string): Promise<Consumer> {
  const known = await findConsumerByEName(on, ename);
  if (known !== undefined) return known;
  await on.query({
    text: `insert into consumer (id, name, ename, created_at) values ($1, $2, $2, $3)
           on conflict (ename) where ename is not null do nothing`,
    values: [randomUUID(), ename, at],
  });
  return (await findConsumerByEName(on, ename)) as Consumer;
}

/** Ensures that the development stack's consumer is stored. `at` is ISO 8601. */
export async function addDevConsumer(on: Queryable, at: string): Promise<void> {
  const { id, name, approved } = DEV_CONSUMER;
  await on.query({
    text: "insert into consumer (id, name, approved, created_at) values ($1, $2, $3, $4) on conflict do nothing",
    values: [id, name, approved, at],
  });
}

/** Locks a consumer until the transaction ends, so that limited rows are counted and added one at a time. */
export async function lockConsumer(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: "select from consumer where id = $1 for update", values: [id] });
}

/** Finds the consumer of an API key that is not revoked. In: the key's SHA-256. */
export async function findConsumerByKey(on: Queryable, keyHash: Buffer): Promise<Consumer | undefined> {
  const { rows } = await on.query<Consumer>({
    name: "awareness-consumer-by-key",
    text: `select ${CONSUMER_COLUMNS} from api_key k join consumer c on c.id = k.consumer_id
            where k.key_hash = $1 and k.revoked_at is null`,
    values: [keyHash],
  });
  return rows[0];
}

/** Stores what a consumer has proven by evidence, in place of an earlier claim. */
export async function setClaim(on: Queryable, id: string, claim: StoredClaim): Promise<void> {
  await on.query({ text: "update consumer set claim = $2 where id = $1", values: [id, JSON.stringify(claim)] });
}

/** Sets an operator's approval of a consumer: its platform, or null for none. */
export async function setPlatform(on: Queryable, id: string, platform: string | null): Promise<void> {
  await on.query({
    text: "update consumer set platform = $2, approved = $2::text is not null where id = $1",
    values: [id, platform],
  });
}

/** Lists the consumers with an eName that an operator has approved as platforms. */
export async function listPlatforms(on: Queryable): Promise<readonly { ename: EName; platform: string | null }[]> {
  const { rows } = await on.query<{ ename: EName; platform: string | null }>({
    text: "select ename, platform from consumer where approved and ename is not null order by created_at, id",
    values: [],
  });
  return rows;
}

/** Finds the consumer of an eName. */
export async function findConsumerByEName(on: Queryable, ename: EName): Promise<Consumer | undefined> {
  const { rows } = await on.query<Consumer>({
    name: "awareness-consumer-by-ename",
    text: `select ${CONSUMER_COLUMNS} from consumer c where c.ename = $1`,
    values: [ename],
  });
  return rows[0];
}
