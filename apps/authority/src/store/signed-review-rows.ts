import type { SignedReview } from "@dataspace/platform-auth/log/signed-review";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A review that is stored: what it decided about, and its place in the log, if it has one. `shownFrom` is ISO 8601. */
export interface NewSignedReview {
  readonly subject: string;
  readonly logIdx: number | null;
  readonly review: SignedReview;
  readonly shownFrom: string;
}

/** Stores what a wallet signed. */
export async function insertSignedReview(
  transaction: Queryable,
  { subject, logIdx, review, shownFrom }: NewSignedReview,
): Promise<void> {
  const { reviewer, statement, payload, signature, publicKey, keyBindingCertificate } = review;
  await transaction.query({
    name: "signed-review:insert",
    text: `insert into signed_review (subject, log_idx, reviewer, statement, payload, signature, public_key,
                                      key_binding_certificate, shown_from)
           values ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz)`,
    values: [
      ...[subject, logIdx, reviewer, statement, payload],
      ...[signature, publicKey, keyBindingCertificate, shownFrom],
    ],
  });
}

/** Lists the reviews under the entries of the log from a place on; null where there is none, or none that is public `at` a time. */
export async function listSignedReviews(
  database: Queryable,
  { from, limit, at }: { readonly from: number; readonly limit: number; readonly at: string },
): Promise<readonly (SignedReview | null)[]> {
  const { rows } = await database.query<ReviewRow>({
    name: "signed-review:list",
    text: `select r.reviewer, r.statement, r.payload, r.signature, r.public_key as "publicKey",
                  r.key_binding_certificate as "keyBindingCertificate"
             from log_entry e left join signed_review r on r.log_idx = e.idx and r.shown_from <= $3::timestamptz
            where e.idx >= $1 order by e.idx limit $2`,
    values: [from, limit, at],
  });
  return rows.map(({ reviewer, ...rest }) => (reviewer === null ? null : { reviewer, ...rest }));
}

interface ReviewRow extends Omit<SignedReview, "reviewer"> {
  readonly reviewer: EName | null;
}
