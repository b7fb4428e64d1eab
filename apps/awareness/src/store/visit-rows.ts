import type { Queryable } from "@dataspace/service-kit/database";
import type { Consumer } from "./consumer-rows.ts";

const FORGOTTEN_AT_ONCE = 100;

/** A new visit: `idleAt` and `expiresAt` end it, whichever comes first. Times are ISO 8601. */
export interface NewVisit {
  readonly tokenHash: Buffer;
  readonly consumerId: string;
  readonly at: string;
  readonly idleAt: string;
  readonly expiresAt: string;
}

/** Stores a visit, and forgets some that are over. */
export async function addVisit(on: Queryable, visit: NewVisit): Promise<void> {
  await on.query({
    text: `with over as (select token_hash from visit where expires_at <= $3::timestamptz
                          order by expires_at limit ${FORGOTTEN_AT_ONCE} for update skip locked),
                forgotten as (delete from visit using over where visit.token_hash = over.token_hash)
           insert into visit (token_hash, consumer_id, idle_at, expires_at) values ($1, $2, $4, $5)`,
    values: [visit.tokenHash, visit.consumerId, visit.at, visit.idleAt, visit.expiresAt],
  });
}

/** Finds who visits, and puts off the end for having been idle. */
export async function findVisitor(
  on: Queryable,
  { tokenHash, at, idleAt }: Pick<NewVisit, "tokenHash" | "at" | "idleAt">,
): Promise<Consumer | undefined> {
  const { rows } = await on.query<Consumer>({
    text: `update visit v set idle_at = $3
             from consumer c
            where v.token_hash = $1 and c.id = v.consumer_id
              and v.idle_at > $2::timestamptz and v.expires_at > $2::timestamptz
           returning c.id, c.name, c.ename, c.platform, c.approved`,
    values: [tokenHash, at, idleAt],
  });
  return rows[0];
}

/** Ends a visit; that there was none is no fault. */
export async function endVisit(on: Queryable, tokenHash: Buffer): Promise<void> {
  await on.query({ text: "delete from visit where token_hash = $1", values: [tokenHash] });
}
