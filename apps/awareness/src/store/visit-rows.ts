import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { CONSUMER_COLUMNS, type Consumer } from "./consumer-rows.ts";

/** The table of sign-ins that wait for a wallet. */
export const SIGN_INS = "sign_in";

const FORGOTTEN_AT_ONCE = 10_000;

/** A new visit: `idleAt` and `expiresAt` end it, whichever comes first. Times are ISO 8601. */
export interface NewVisit {
  readonly tokenHash: Buffer;
  readonly consumerId: string;
  readonly idleAt: string;
  readonly expiresAt: string;
}

/** Stores a visit. */
export async function addVisit(on: Queryable, visit: NewVisit): Promise<void> {
  await on.query({
    text: "insert into visit (token_hash, consumer_id, idle_at, expires_at) values ($1, $2, $3, $4)",
    values: [visit.tokenHash, visit.consumerId, visit.idleAt, visit.expiresAt],
  });
}

/** Finds the visitor, and extends the visit's idle time. */
export async function findVisitor(
  on: Queryable,
  { tokenHash, at, idleAt }: Pick<NewVisit, "tokenHash" | "idleAt"> & { readonly at: string },
): Promise<Consumer | undefined> {
  const { rows } = await on.query<Consumer>({
    text: `update visit v set idle_at = $3
             from consumer c
            where v.token_hash = $1 and c.id = v.consumer_id
              and v.idle_at > $2::timestamptz and v.expires_at > $2::timestamptz
           returning ${CONSUMER_COLUMNS}`,
    values: [tokenHash, at, idleAt],
  });
  return rows[0];
}

/** Ends a visit; succeeds also where there is none. */
export async function endVisit(on: Queryable, tokenHash: Buffer): Promise<void> {
  await on.query({ text: "delete from visit where token_hash = $1", values: [tokenHash] });
}

/** Deletes visits that are over, at most 10,000 at a time. Out: how many. */
export function sweepVisits(on: Queryable, nowMs: number): Promise<number> {
  return deleteExpired(on, { table: "visit", before: new Date(nowMs).toISOString(), atMost: FORGOTTEN_AT_ONCE });
}

/** Deletes sign-ins that are over, at most 10,000 at a time. Out: how many. */
export function sweepSignIns(on: Queryable, nowMs: number): Promise<number> {
  return deleteExpired(on, { table: SIGN_INS, before: new Date(nowMs).toISOString(), atMost: FORGOTTEN_AT_ONCE });
}
