import { toGlobal } from "../mapping/convert.ts";
import { groupBy } from "../mapping/group-by.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { findOwner } from "../mapping/owner-path.ts";
import { createBatch } from "../outbound/create-batch.ts";
import type { OwnedRow } from "../outbound/row-to-payload.ts";
import { noteChange } from "../state/changes.ts";
import { createCursors } from "../state/cursors.ts";
import { createIdStore } from "../state/pairs.ts";
import type { Sync, SyncCore } from "../sync/sync.ts";
import type { Row } from "../sync/table-access.ts";
import { eachPage } from "./each-row.ts";

/** How far a backfill is. */
export interface BackfillProgress {
  /** Rows that were looked at. */
  readonly seen: number;
  /** Rows without a record, which are sent. */
  readonly noted: number;
  readonly withoutOwner: number;
}

const OWNERS_AT_ONCE = 4;

/**
 * Sends every row of a table that has no record, by pages and in bulk. After an interruption it goes on where it was; after its end
 * the next one starts from the beginning.
 *
 * In: `flush` sends what cannot be sent in bulk, page by page, so that no more than a page waits. With `dryRun` it only counts, from
 * the beginning. Refuses: the database's errors. Source: decisions A3, V5.
 */
export async function* backfill<Transaction>(
  sync: Sync<Transaction>,
  tableName: string,
  { dryRun, flush }: { readonly dryRun: boolean; readonly flush: () => Promise<void> },
): AsyncGenerator<BackfillProgress, void, undefined> {
  const mapping = sync.mappings.byTable.get(tableName);
  if (mapping === undefined || mapping.readOnly)
    throw new Error(`The table ${tableName} has no mapping that goes out.`);
  const cursors = createCursors(sync.database);
  const cursor = `backfill:${tableName}`;
  const after = dryRun ? undefined : await cursors.find(cursor);
  let progress: BackfillProgress = { seen: 0, noted: 0, withoutOwner: 0 };
  for await (const { rows, last } of eachPage(sync, tableName, after)) {
    const { owned, withoutOwner } = await findFresh(sync, mapping, rows);
    if (!dryRun) {
      await sendPage(sync, mapping, owned);
      await flush();
      await cursors.save(cursor, last);
    }
    progress = {
      seen: progress.seen + rows.length,
      noted: progress.noted + owned.length,
      withoutOwner: progress.withoutOwner + withoutOwner,
    };
    yield progress;
  }
  if (!dryRun) await cursors.remove(cursor);
}

async function findFresh(
  { database }: SyncCore,
  { tableName, ownerEnamePath }: Mapping,
  rows: readonly Row[],
): Promise<{ readonly owned: readonly OwnedRow[]; readonly withoutOwner: number }> {
  const ids = rows.map(({ id }) => String(id));
  const known = await createIdStore(database).globalIds(tableName, ids);
  const fresh = rows.filter(({ id }) => !known.has(String(id)));
  const owned = fresh.flatMap((row) => {
    const owner = findOwner(ownerEnamePath, row);
    return owner === undefined ? [] : [{ row, owner, localId: String(row["id"]) }];
  });
  return { owned, withoutOwner: fresh.length - owned.length };
}

/** Creates records in bulk, owner by owner. A row with a file, which is uploaded first, goes its own way. */
async function sendPage(sync: SyncCore, mapping: Mapping, owned: readonly OwnedRow[]): Promise<void> {
  const single = new Set(owned.filter(({ row }) => hasFile(mapping, row)));
  const bulk = owned.filter((one) => !single.has(one));
  const nowMs = sync.clock.nowMs();
  if (single.size > 0) {
    await sync.database.inTransaction(async (session) => {
      for (const { localId } of single) await noteChange(session, { table: mapping.tableName, localId, nowMs });
    });
  }
  const owners = groupBy(bulk, ({ owner }) => owner).values();
  const work = async (): Promise<void> => {
    for (const rows of owners) await createBatch(sync, mapping, rows);
  };
  await Promise.all(Array.from({ length: OWNERS_AT_ONCE }, work));
}

function hasFile(mapping: Mapping, row: Row): boolean {
  if (!mapping.entries.some(({ form }) => form === "file")) return false;
  let found = false;
  const fileUri = (): string => {
    found = true;
    return "";
  };
  try {
    toGlobal(mapping, row, { globalId: () => "", fileUri });
  } catch {
    return true;
  }
  return found;
}
