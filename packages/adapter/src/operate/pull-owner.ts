import { toPayload } from "../inbound/pull-record.ts";
import { receiveEvent } from "../inbound/webhook.ts";
import type { Sync } from "../sync/sync.ts";

const MOST_RECORDS = 1_000;

/**
 * Gives each record that an owner's vault holds for a table a row, unless it has one. It is for a person whose vault is older than
 * the platform's subscription.
 *
 * Out: how many rows there are more; at most 1,000 records are read. Refuses: the vault's and the platform's errors; RowFault.
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
    if (data !== undefined && (await receiveEvent(sync, { ...event, ...made, data })) === "applied") applied += 1;
    if (read === MOST_RECORDS) break;
  }
  return applied;
}
