import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** A decision that waits for its reviewer's signature over the digest of `statement`. Times are ISO 8601. */
export interface NewReviewRequest {
  readonly session: string;
  /** The hash of the token of the visit that asked. */
  readonly visit: Buffer;
  readonly reviewer: EName;
  readonly act: "decide" | "revoke";
  /** The id of the submission or of the certificate. */
  readonly subject: string;
  readonly input: object;
  readonly statement: string;
  readonly expiresAt: string;
}

/** A request as it is stored, with what became of it. */
export interface StoredReviewRequest extends NewReviewRequest {
  readonly isDone: boolean;
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

/** The most requests of one reviewer that wait for a signature. */
const MOST_WAITING = 20;
const FORGOTTEN_AT_ONCE = 10_000;
/** A page says for a while that its request is too old. */
const GRACE_MS = 600_000;
/** Tells this lock from others in the same database. */
const REVIEWER_LOCK = 1_400_303;

/** The name under which a request is spent, in place of a wallet token. No wallet token's name begins so. Refuses: never. */
export function spentNameOf(session: string): string {
  return `review ${session}`;
}

/** Stores a request. Out: false while 20 requests of the reviewer wait. In: `at`, the time now. */
export function addReviewRequest(database: Database, request: NewReviewRequest, at: string): Promise<boolean> {
  const { session, visit, reviewer, act, subject, input, statement, expiresAt } = request;
  return database.transaction(async (transaction) => {
    await transaction.query({
      name: "reviewer:lock",
      text: "select pg_advisory_xact_lock($1::int, hashtext($2))",
      values: [REVIEWER_LOCK, reviewer],
    });
    const { rowCount } = await transaction.query({
      name: "review-request:add",
      text: `insert into review_request (session, visit, reviewer, act, subject, input, statement, expires_at)
             select $1, $2, $3, $4, $5::uuid, $6::jsonb, $7, $8::timestamptz
              where (select count(*) from review_request r
                      where r.reviewer = $3 and r.expires_at > $9::timestamptz and r.refusal is null
                        and not exists (select from spent_reviewer_token t where t.token = 'review ' || r.session)) < $10`,
      values: [session, visit, reviewer, act, subject, JSON.stringify(input), statement, expiresAt, at, MOST_WAITING],
    });
    return rowCount === 1;
  });
}

/** Finds a request in any state, until 10 minutes after its end. */
export async function findReviewRequest(on: Queryable, session: string): Promise<StoredReviewRequest | undefined> {
  const { rows } = await on.query<Omit<StoredReviewRequest, "expiresAt"> & { readonly expiresAt: Date }>({
    name: "review-request:find",
    text: `select session, visit, reviewer, act, subject, input, statement, refusal, expires_at as "expiresAt",
                  exists (select from spent_reviewer_token t where t.token = $2) as "isDone"
             from review_request where session = $1`,
    values: [session, spentNameOf(session)],
  });
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt.toISOString() }))[0];
}

/** Stores why a signed request was refused; the first refusal stays. */
export async function refuseReviewRequest(
  on: Queryable,
  session: string,
  refusal: { readonly code: string; readonly message: string },
): Promise<void> {
  await on.query({
    name: "review-request:refuse",
    text: "update review_request set refusal = $2::jsonb where session = $1 and refusal is null",
    values: [session, JSON.stringify(refusal)],
  });
}

/** Deletes requests that ended 10 minutes ago, at most 10,000 at a time. Out: how many. */
export function sweepReviewRequests(on: Queryable, nowMs: number): Promise<number> {
  const before = new Date(nowMs - GRACE_MS).toISOString();
  return deleteExpired(on, { table: "review_request", before, atMost: FORGOTTEN_AT_ONCE });
}
