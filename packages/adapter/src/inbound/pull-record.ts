import type { Mapping } from "../mapping/mapping.ts";
import type { Pair } from "../state/pairs.ts";
import { inInboundTransaction } from "../sync/origin.ts";
import type { Sync } from "../sync/sync.ts";
import { findTable } from "../sync/table-access.ts";
import { updateRow } from "./apply-payload.ts";
import { OwnerMismatch } from "./assert-row-of-owner.ts";
import { findFiles } from "./find-files.ts";

/**
 * Reads a record from its vault and applies it to its row: for what came in the way of another write, and for relations whose target
 * came later.
 *
 * Refuses: the vault's and the platform's errors; StalePair when the pair changed meanwhile, so that it is tried again.
 */
export async function pullRecord<Transaction>(sync: Sync<Transaction>, mapping: Mapping, pair: Pair): Promise<void> {
  const table = findTable(sync.tables, pair.table);
  if (table === undefined || pair.removal !== "none") return;
  const record = await sync.vaults.vault(pair.owner).get(pair.globalId);
  const payload = toPayload(record?.parsed);
  if (payload === undefined) return;
  const files = await findFiles(sync, mapping, payload);
  const application = { mapping, table, payload, files };
  try {
    await inInboundTransaction(sync.database, (session) => updateRow(sync, session, { pair, application }));
  } catch (error) {
    if (!(error instanceof OwnerMismatch)) throw error;
    sync.report({ kind: "refused", globalId: pair.globalId, why: "OWNER_MISMATCH" });
  }
}

/** Gives a record's payload, if it is one. Refuses: never. */
export function toPayload(parsed: unknown): Readonly<Record<string, unknown>> | undefined {
  const isPayload = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  return isPayload ? (parsed as Readonly<Record<string, unknown>>) : undefined;
}
