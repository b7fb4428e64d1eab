import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import { isForeign, SELECT_SUBMISSION, type SubmissionRow, toSubmission } from "./submission-rows.ts";

/** Lists decided submissions, the newest decision first, from behind one of them on. */
export async function listDecided(
  database: Queryable,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly StoredSubmission[]> {
  const { rows } = await database.query<SubmissionRow>({
    name: "submissions:decided",
    text: `${SELECT_SUBMISSION} where s.decision is not null
             and ($1::uuid is null or (s.decided_at, s.id) < (select decided_at, id from submission where id = $1::uuid))
           order by s.decided_at desc, s.id desc limit $2`,
    values: [after ?? null, limit],
  });
  return rows.map(toSubmission);
}

/** Lists the newest submissions of a platform, one of them left out. */
export async function listOfPlatform(
  database: Queryable,
  { platform, except, limit }: { readonly platform: EName; readonly except: string; readonly limit: number },
): Promise<readonly StoredSubmission[]> {
  const { rows } = await database.query<SubmissionRow>({
    name: "submissions:platform",
    text: `${SELECT_SUBMISSION} where s.platform = $1 and s.id <> $2::uuid
           order by s.received_at desc, s.id desc limit $3`,
    values: [platform, except, limit],
  });
  return rows.map(toSubmission);
}

/** What holds of a submission now: whether the platform has certified releases, and whether its version is taken. */
export interface SubmissionStanding {
  /** `first`: the platform has no certified release; `foreign`: those that it has are another author's. */
  readonly author: "platform" | "first" | "same" | "foreign";
  readonly isVersionTaken: boolean;
}

/** Finds what holds of a submission now. Source: decision A1. */
export async function findStanding(database: Queryable, id: string): Promise<SubmissionStanding> {
  const { rows } = await database.query<SubmissionStanding>({
    name: "submission:standing",
    text: `select case when asked.signer = asked.platform then 'platform'
                       when ${isForeign("asked.platform", "asked.signer")} then 'foreign'
                       when exists (select from submission s join certificate c on c.submission_id = s.id
                                     where s.platform = asked.platform and s.signer = asked.signer
                                       and c.revoked_at is null) then 'same'
                       else 'first' end as author,
                  exists (select from submission s where s.platform = asked.platform and s.version = asked.version
                             and s.decision = 'granted' and s.id <> asked.id) as "isVersionTaken"
             from submission asked where asked.id = $1::uuid`,
    values: [id],
  });
  return rows[0] ?? { author: "first", isVersionTaken: false };
}
