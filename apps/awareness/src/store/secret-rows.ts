import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A secret that takes the place of another, sealed. Times are ISO 8601. */
export interface NextSecret {
  readonly subscriptionId: string;
  readonly sealed: Buffer;
  readonly at: string;
  readonly previousValidUntil: string;
}

/** Reads the sealed secret of a subscription that is its current one. */
export async function findSealedSecret(on: Queryable, subscriptionId: string): Promise<Buffer> {
  const { rows } = await on.query<{ sealed: Buffer }>({
    text: "select sealed from subscription_secret where subscription_id = $1 and not_after is null",
    values: [subscriptionId],
  });
  return (rows[0] as { sealed: Buffer }).sealed;
}

/**
 * Puts a secret in the place of a subscription's current one, and forgets those that are no longer valid; none before it stays
 * valid for longer than the one that it replaces. Out: false where more than `max` would be valid; the transaction is to be given up then.
 */
export async function replaceSecret(tx: Queryable, next: NextSecret, max: number): Promise<boolean> {
  // One at a time for each subscription, so that one secret is current and the count holds.
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
