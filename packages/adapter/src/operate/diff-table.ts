import { isDeepStrictEqual } from "node:util";
import { toPayload } from "../inbound/pull-record.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { findOwner } from "../mapping/owner-path.ts";
import { RowFault } from "../mapping/row-fault.ts";
import { type OwnedRow, type RowPayload, rowToPayload } from "../outbound/row-to-payload.ts";
import { createIdStore } from "../state/pairs.ts";
import { changedEntries } from "../sync/payload-fields.ts";
import type { Sync, SyncCore } from "../sync/sync.ts";
import { eachPage } from "./each-row.ts";

/**
 * How a row differs from its record: it has none, the record is gone, fields differ, nobody owns the row, or the row cannot be mapped,
 * with the fault's code in `fields`.
 */
export interface Difference {
  readonly localId: string;
  readonly kind: "no-record" | "record-gone" | "fields" | "no-owner" | "unmappable";
  readonly fields: readonly string[];
}

/**
 * Compares every row of a table with its record in the vault. Nothing is written; a file that is not stored yet counts as a difference.
 *
 * Refuses: the vault's and the platform's errors.
 */
export async function* diffTable<Transaction>(
  sync: Sync<Transaction>,
  tableName: string,
): AsyncGenerator<Difference, void, undefined> {
  const mapping = sync.mappings.byTable.get(tableName);
  if (mapping === undefined) throw new Error(`No mapping has the tableName ${tableName}.`);
  for await (const { rows } of eachPage(sync, tableName, undefined)) {
    for (const row of rows) {
      const localId = String(row["id"]);
      const pair = await createIdStore(sync.database).findByLocal({ table: tableName, localId });
      const owner = pair?.owner ?? findOwner(mapping.ownerEnamePath, row);
      if (owner === undefined) yield { localId, kind: "no-owner", fields: [] };
      else if (pair === undefined) yield { localId, kind: "no-record", fields: [] };
      if (pair === undefined || owner === undefined) continue;
      const record = await sync.vaults.vault(owner).get(pair.globalId);
      const there = toPayload(record?.parsed);
      if (there === undefined) yield { localId, kind: "record-gone", fields: [] };
      if (there === undefined) continue;
      const payload = await toComparable(sync, mapping, { row, owner, localId });
      if (payload instanceof RowFault) {
        yield { localId, kind: "unmappable", fields: [payload.code] };
        continue;
      }
      const fields = changedEntries(mapping, payload, there).map(({ target }) => target.text);
      if (fields.length > 0 && !isDeepStrictEqual(payload, there)) yield { localId, kind: "fields", fields };
    }
  }
}

async function toComparable(
  sync: SyncCore,
  mapping: Mapping,
  owned: OwnedRow,
): Promise<RowPayload["payload"] | RowFault> {
  try {
    return (await rowToPayload(sync, mapping, { ...owned, files: "compare" })).payload;
  } catch (error) {
    if (error instanceof RowFault) return error;
    throw error;
  }
}
