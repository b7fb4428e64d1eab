import { findOwner } from "../mapping/owner-path.ts";
import { noteChange } from "../state/changes.ts";
import { createCursors } from "../state/cursors.ts";
import { createIdStore } from "../state/pairs.ts";
import type { Sync } from "../sync/sync.ts";
import { eachPage } from "./each-row.ts";

/** How far a backfill is. */
export interface BackfillProgress {
  /** Rows that were looked at. */
  readonly seen: number;
  /** Rows without a record, which are sent. */
  readonly noted: number;
  readonly withoutOwner: number;
}

/**
 * Sends every row of a table that has no record, by pages; after an interruption it goes on where it was.
 *
 * In: `flush` sends what was noted, page by page, so that no more than a page waits. With `dryRun` it only counts, from the beginning.
 * Refuses: the database's errors. Source: decision A3.
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
    const known = await createIdStore(sync.database).globalIds(
      tableName,
      rows.map(({ id }) => String(id)),
    );
    const fresh = rows.filter(({ id }) => !known.has(String(id)));
    const owned = fresh.filter((row) => findOwner(mapping.ownerEnamePath, row) !== undefined);
    if (!dryRun) {
      await sync.database.inTransaction(async (session) => {
        const nowMs = sync.clock.nowMs();
        for (const { id } of owned) await noteChange(session, { table: tableName, localId: String(id), nowMs });
        await createCursors(session).save(cursor, last);
      });
      await flush();
    }
    progress = {
      seen: progress.seen + rows.length,
      noted: progress.noted + owned.length,
      withoutOwner: progress.withoutOwner + fresh.length - owned.length,
    };
    yield progress;
  }
}
