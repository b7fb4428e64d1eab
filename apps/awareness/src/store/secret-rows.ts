import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A secret that replaces another, sealed. Times are ISO 8601. */
export interface NextSecret {
  readonly subscriptionId: string;
  readonly sealed: Buffer;
  readonly at: string;
  readonly previousValidUntil: string;
}

/** Reads the current sealed secret of a subscription. */
export async function findSealedSecret(on: Queryable, subscriptionId: string): Promise<Buffer> {
  const { rows } = await on.query<{ sealed: Buffer }>({
    text: "select sealed from subscription_secret where subscription_id = $1 and not_after is null",
    values: [subscriptionId],
  });
  return (rows[0] as { sealed: Buffer }).sealed;
}

/**
 * Replaces a subscription's current secret, and deletes those that are no longer valid. Every older secret ends
 * with the replaced one at the latest. Out: false where more than `max` would be valid; the transaction must then roll
 * back.
 */
export async function replaceSecret(tx: Queryable, next: NextSecret, max: number): Promise<boolean> {
  // One at a time for each subscription, so that one secret is current and the count is correct.
  await tx.query({ text: "select from subscription where id = $1 for update", values: [next.subscriptionId] });
  await tx.query({
    text: `update subscription_secret set not_after = least(not_after, $2::timestamptz) where subscription_id = $1`,
    values: [next.subscriptionId, next.previousValidUntil],
  });
  await tx.query({
    text: "delete from subscription_secret where subscription_id = $1 and not_after <= $2::timestamptz",
    values: [next.subscriptionId, next.at],
  });
  const { rowCount } = await tx.query({
    text: `insert into subscription_secret (subscription_id, sealed, added_at)
           select $1, $2, greatest($3::timestamptz, max(added_at) + interval '1 microsecond')
             from subscription_secret where subscription_id = $1 having count(*) < $4`,
    values: [next.subscriptionId, next.sealed, next.at, max],
  });
  return rowCount === 1;
}
