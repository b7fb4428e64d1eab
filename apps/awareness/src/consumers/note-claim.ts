import type { Handshakes } from "@dataspace/platform-auth/http/handshakes";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { StoredClaim } from "../matching/stored-claim.ts";
import { findOrAddConsumer, setClaim } from "../store/consumer-rows.ts";

type ProvenClaim = Pick<Awaited<ReturnType<Handshakes["verifySession"]>>, "claim" | "status">;

/**
 * Stores what a platform has proven with its consumer, in place of an earlier claim: webhooks go on by it when the
 * session has ended.
 *
 * Refuses: the database's errors. Source: decision E9.
 */
export async function noteClaim(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  proven: ProvenClaim,
): Promise<void> {
  await database.transaction(async (tx) => {
    const consumer = await findOrAddConsumer(tx, proven.claim.platform, new Date(clock.nowMs()).toISOString());
    await setClaim(tx, consumer.id, toStoredClaim(proven));
  });
}

/** Takes from a proven claim what decides over events. Refuses: never. */
export function toStoredClaim({ claim, status }: ProvenClaim): StoredClaim {
  const { platform, level, domains, expiresAt, issuer } = claim;
  return { platform, level, domains, expiresAt, status: status && { issuer, ...status } };
}
