import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { isAboutRecord } from "../inbound/assert-row-of-owner.ts";
import { toPayload } from "../inbound/pull-record.ts";
import { receiveEvent } from "../inbound/webhook.ts";
import type { Sync } from "../sync/sync.ts";

const MOST_RECORDS = 1_000;

/**
 * Gives each record that an owner's vault holds for a table a row, unless it has one. It is for a person whose vault is older than
 * the platform's subscription.
 *
 * A record that cannot be applied as it is, is reported and passed over. Out: how many rows there are more; at most 1,000 records are
 * read. Refuses: the vault's and the platform's errors.
 * Source: S3 inbound rules 3 and 4.
 */
export async function pullOwner<Transaction>(
  sync: Sync<Transaction>,
  { owner, tableName }: { readonly owner: string; readonly tableName: string },
): Promise<number> {
  const schemaId = sync.mappings.byTable.get(tableName)?.schemaId;
  if (schemaId === undefined) return 0;
  let [read, applied] = [0, 0];
  for await (const { id, parsed } of sync.vaults.vault(owner).list({ ontologyId: schemaId }, { newestFirst: false })) {
    const data = toPayload(parsed);
    read += 1;
    // Every event of the record is newer than version 0.
    const event = { eventId: crypto.randomUUID(), id, dsid: owner, schemaId, streamVersion: 0 };
    const made = {
      vaultPublicKey: null,
      operation: "create",
      occurredAt: new Date(sync.clock.nowMs()).toISOString(),
    } as const;
    if (data !== undefined && (await apply(sync, { ...event, ...made, data }))) applied += 1;
    if (read === MOST_RECORDS) break;
  }
  return applied;
}

/** Out: whether there is one row more. */
async function apply<Transaction>(sync: Sync<Transaction>, event: WebhookEvent): Promise<boolean> {
  try {
    return (await receiveEvent(sync, event)) === "applied";
  } catch (error) {
    if (!isAboutRecord(error)) throw error;
    sync.report({ kind: "refused", globalId: event.id, why: "FAILED" });
    return false;
  }
}
