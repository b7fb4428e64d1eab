import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** A new visit: `idleAt` and `expiresAt` end it, whichever comes first. Times are ISO 8601. */
export interface NewVisit {
  readonly tokenHash: Buffer;
  readonly ename: EName;
  readonly idleAt: string;
  readonly expiresAt: string;
}

/** The table of sign-ins that wait for a wallet. */
export const SIGN_INS = "review_sign_in";

const FORGOTTEN_AT_ONCE = 10_000;
/** At the eleventh, the reviewer's own oldest visit ends. */
const MOST_PER_ENAME = 10;

/** Stores a visit, and ends the reviewer's oldest ones beyond ten. */
export async function addVisit(database: Database, { tokenHash, ename, idleAt, expiresAt }: NewVisit): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query({
      name: "review-visit:add",
      text: "insert into review_visit (token_hash, ename, idle_at, expires_at) values ($1, $2, $3, $4)",
      values: [tokenHash, ename, idleAt, expiresAt],
    });
    await transaction.query({
      name: "review-visit:bound",
      text: `delete from review_visit where token_hash in (
               select token_hash from review_visit where ename = $1 order by expires_at desc, token_hash offset $2)`,
      values: [ename, MOST_PER_ENAME],
    });
  });
}

/** Finds the reviewer of a visit, and extends the visit's idle time. */
export async function findVisitor(
  on: Queryable,
  { tokenHash, at, idleAt }: Pick<NewVisit, "tokenHash" | "idleAt"> & { readonly at: string },
): Promise<EName | undefined> {
  const { rows } = await on.query<{ ename: EName }>({
    name: "review-visit:find",
    text: `update review_visit set idle_at = $3 where token_hash = $1 and idle_at > $2::timestamptz and expires_at > $2::timestamptz
           returning ename`,
    values: [tokenHash, at, idleAt],
  });
  return rows[0]?.ename;
}

/** Ends a visit; succeeds also where there is none. */
export async function endVisit(on: Queryable, tokenHash: Buffer): Promise<void> {
  await on.query({
    name: "review-visit:end",
    text: "delete from review_visit where token_hash = $1",
    values: [tokenHash],
  });
}

/** Deletes visits that are over, at most 10,000 at a time. Out: how many. */
export function sweepVisits(on: Queryable, nowMs: number): Promise<number> {
  return deleteExpired(on, { table: "review_visit", before: new Date(nowMs).toISOString(), atMost: FORGOTTEN_AT_ONCE });
}

/** Deletes sign-ins that are over, at most 10,000 at a time. Out: how many. */
export function sweepSignIns(on: Queryable, nowMs: number): Promise<number> {
  return deleteExpired(on, { table: SIGN_INS, before: new Date(nowMs).toISOString(), atMost: FORGOTTEN_AT_ONCE });
}
