import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { createIdStore, type Pair } from "../state/pairs.ts";
import type { Sync, SyncCore } from "../sync/sync.ts";
import { findTable } from "../sync/table-access.ts";
import type { Application } from "./apply-payload.ts";
import { findFiles } from "./find-files.ts";
import { toPayload } from "./pull-record.ts";

/** What is known of an event before its transaction begins, since no network call is made inside one. */
export interface PreparedEvent<Transaction> {
  readonly event: WebhookEvent;
  readonly pair: Pair | undefined;
  /** undefined for a removal, and where the record is not there any more. */
  readonly application: Application<Transaction> | undefined;
  readonly access: Pick<Application<Transaction>, "mapping" | "table">;
}

/**
 * Finds the table and the pair of an event, and the payload to apply.
 *
 * If this platform has written to the record, the event may be older than that write, whose event it does not receive. So the record
 * is read as it is now. Out: undefined where no table takes the event. Refuses: the vault's errors.
 * Source: S3 inbound rules 1 and 2; decisions A4, V26.
 */
export async function prepareEvent<Transaction>(
  sync: Sync<Transaction>,
  event: WebhookEvent,
): Promise<PreparedEvent<Transaction> | undefined> {
  const pair = await createIdStore(sync.database).findByGlobal({ owner: event.dsid, globalId: event.id });
  const access = findAccess(sync, event, pair);
  if (access === undefined) {
    const isKnown = sync.mappings.bySchema.has(event.schemaId);
    if (isKnown) sync.report({ kind: "refused", globalId: event.id, why: "NO_TABLE" });
    return undefined;
  }
  const payload = event.operation === "delete" ? undefined : await readPayload(sync, event, pair);
  if (payload === undefined) return { event, pair, access, application: undefined };
  const files = await findFiles(sync, access.mapping, payload);
  return { event, pair, access, application: { ...access, payload, files } };
}

function findAccess<Transaction>(
  { mappings, tables }: Sync<Transaction>,
  event: WebhookEvent,
  pair: Pair | undefined,
): PreparedEvent<Transaction>["access"] | undefined {
  const candidates = (mappings.bySchema.get(event.schemaId) ?? []).flatMap((mapping) => {
    const table = findTable(tables, mapping.tableName);
    return table === undefined ? [] : [{ mapping, table }];
  });
  if (pair !== undefined) return candidates.find(({ mapping }) => mapping.tableName === pair.table);
  return candidates.find(({ table }) => table.accepts?.(event.data) ?? true);
}

async function readPayload(
  { vaults }: SyncCore,
  event: WebhookEvent,
  pair: Pair | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const isNews = pair === undefined || (!pair.hasOwnWrites && pair.removal !== "local");
  if (isNews) return event.data;
  const record = await vaults.vault(event.dsid).get(event.id);
  return record?.ontology === event.schemaId ? toPayload(record.parsed) : undefined;
}
