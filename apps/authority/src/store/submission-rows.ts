import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import type { Decision, StoredSubmission, VerifiedSubmission } from "../submissions/stored-submission.ts";

/** Why a submission was not stored. */
export type StoreFault = "NONCE_SEEN" | "VERSION_IMMUTABLE" | "NOT_AUTHOR" | "TOO_MANY_PENDING";

/** A submission that is stored: its id, when it arrived (ISO 8601), and whether it is decided. */
export interface StandingSubmission {
  readonly id: string;
  readonly receivedAt: string;
  readonly status: "pending" | "granted" | "denied";
}

/** The most submissions of one author that are not decided. */
const MOST_PENDING = 20;

/**
 * Stores a submission. The same text sent again gives the submission that is there. Submissions of one author are stored one after the
 * other, so that many at once cannot exceed their bound.
 *
 * Out: the submission, or why nothing was stored. Source: decision A1.
 */
export function insertSubmission(
  database: Database,
  { id, statement, sha256, submission, receivedAt }: VerifiedSubmission,
): Promise<StandingSubmission | StoreFault> {
  const { platformEName: platform, signerEName: signer } = statement;
  const values = [id, platform, statement.version, signer, statement.nonce, sha256, submission.statementText];
  const proof = [submission.payload, submission.signature, submission.publicKey, submission.keyBindingCertificate];
  return database.transaction(async (transaction) => {
    await transaction.query({
      name: "author:lock",
      text: "select pg_advisory_xact_lock($1::int, hashtext($2))",
      values: [AUTHOR_LOCK, signer],
    });
    const { rows } = await transaction.query<StandingRow>({
      name: "insert-submission",
      text: INSERT,
      values: [...values, ...proof, receivedAt, MOST_PENDING],
    });
    const [row] = rows;
    if (row?.id == null) return row?.fault ?? "NONCE_SEEN";
    return { id: row.id, receivedAt: row.receivedAt.toISOString(), status: row.decision ?? "pending" };
  });
}

interface StandingRow {
  readonly id: string | null;
  readonly receivedAt: Date;
  readonly decision: Decision["decision"] | null;
  readonly fault: StoreFault | null;
}

/** Tells this lock from others in the same database. */
const AUTHOR_LOCK = 1_400_302;

/**
 * Whether a platform is another author's: it has a certified release that is not revoked, and none of this signer. Whoever signs as the
 * platform itself is never foreign. In SQL: the parameters of the platform and of the signer.
 */
export function isForeign(platform: string, signer: string): string {
  const certified = `select from submission s join certificate c on c.submission_id = s.id
    where s.platform = ${platform} and c.revoked_at is null`;
  return `${signer} <> ${platform} and exists (${certified}) and not exists (${certified} and s.signer = ${signer})`;
}

/** Checks whether a submission's platform belongs to another author now. Source: decision A1. */
export async function isOfForeignAuthor(database: Queryable, id: string): Promise<boolean> {
  const { rows } = await database.query<{ foreign: boolean }>({
    name: "submission:foreign",
    text: `select ${isForeign("asked.platform", "asked.signer")} as foreign from submission asked where asked.id = $1::uuid`,
    values: [id],
  });
  return rows[0]?.foreign === true;
}

// $1 id, $2 platform, $3 version, $4 signer, $5 nonce, $6 sha256, $7 text, $8 to $11 the proof, $12 time, $13 most pending.
const INSERT = `
with known as (select id, received_at, decision from submission where sha256 = $6),
facts as (
  select exists (select from known) as is_known,
         exists (select from submission where signer = $4 and nonce = $5 and sha256 <> $6) as nonce_seen,
         exists (select from submission where platform = $2 and version = $3 and decision = 'granted' and sha256 <> $6) as is_certified,
         ${isForeign("$2", "$4")} as is_foreign,
         (select count(*) from submission where signer = $4 and decision is null) >= $13::int as is_full),
written as (
  insert into submission (id, platform, version, signer, nonce, sha256, statement_text, payload, signature, public_key, key_certificate,
                          received_at)
  select $1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::timestamptz
    from facts where not (is_known or nonce_seen or is_certified or is_foreign or is_full)
  returning id, received_at, decision),
standing as (select * from known union all select * from written)
select id, received_at as "receivedAt", decision,
       case when nonce_seen then 'NONCE_SEEN' when is_certified then 'VERSION_IMMUTABLE' when is_foreign then 'NOT_AUTHOR'
            when is_full then 'TOO_MANY_PENDING' end as fault
  from facts left join standing on true`;

/** Finds a submission by its id. With `lock` no other transaction decides it before this one ends. */
export async function findSubmission(
  database: Queryable,
  id: string,
  { lock }: { readonly lock: boolean } = { lock: false },
): Promise<StoredSubmission | undefined> {
  const text = `${SELECT_SUBMISSION} where s.id = $1::uuid${lock ? " for update of s" : ""}`;
  const { rows } = await database.query<SubmissionRow>({
    name: lock ? "submission:lock" : "submission",
    text,
    values: [id],
  });
  return rows.map(toSubmission)[0];
}

/** Lists submissions that are not decided yet, the oldest first, from behind one of them on. Source: decision A6. */
export async function listPending(
  database: Queryable,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly StoredSubmission[]> {
  const { rows } = await database.query<SubmissionRow>({
    name: "submissions:pending",
    text: `${SELECT_SUBMISSION} where s.decision is null
             and ($1::uuid is null or (s.received_at, s.id) > (select received_at, id from submission where id = $1::uuid))
           order by s.received_at, s.id limit $2`,
    values: [after ?? null, limit],
  });
  return rows.map(toSubmission);
}

/** Stores the decision about a submission that is not decided yet. */
export async function setDecision(database: Queryable, id: string, decision: Decision): Promise<void> {
  await database.query({
    name: "submission:decide",
    text: `update submission set decision = $2, decided_at = $3::timestamptz, decided_by = $4, reason = $5 where id = $1::uuid`,
    values: [id, decision.decision, decision.decidedAt, decision.decidedBy, decision.reason],
  });
}

/** Selects submissions, each with its newest certificate. */
export const SELECT_SUBMISSION = `
select s.id, s.statement_text, s.sha256, s.received_at, s.decision, s.decided_at, s.decided_by, s.reason,
       c.jti, c.jws, c.expires_at, c.revoked_at is not null as is_revoked
  from submission s left join lateral (
    select * from certificate where submission_id = s.id order by idx desc limit 1) c on true`;

/** A row of that selection. */
export interface SubmissionRow {
  readonly id: string;
  readonly statement_text: string;
  readonly sha256: string;
  readonly received_at: Date;
  readonly decision: Decision["decision"] | null;
  readonly decided_at: Date;
  readonly decided_by: EName;
  readonly reason: string | null;
  readonly jti: string | null;
  readonly jws: string;
  readonly expires_at: Date;
  readonly is_revoked: boolean;
}

/** Converts such a row. Refuses: never. */
export function toSubmission(row: SubmissionRow): StoredSubmission {
  const { decision, reason } = row;
  return {
    id: row.id,
    statementText: row.statement_text,
    sha256: row.sha256,
    receivedAt: row.received_at.toISOString(),
    decision:
      decision === null
        ? null
        : { decision, decidedAt: row.decided_at.toISOString(), decidedBy: row.decided_by, reason },
    certificate:
      row.jti === null
        ? null
        : { jti: row.jti, jws: row.jws, expiresAt: row.expires_at.toISOString(), isRevoked: row.is_revoked },
  };
}
