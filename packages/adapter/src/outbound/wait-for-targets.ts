import type { PendingReference } from "../mapping/conversion.ts";
import { noteChange } from "../state/changes.ts";
import { createIdStore, type LocalRef } from "../state/pairs.ts";
import { notePending } from "../state/pending.ts";
import type { SyncCore } from "../sync/sync.ts";

/** Notes which rows a relation waits for; if one came in the meantime, the row is sent again. Refuses: the database's errors. */
export async function waitForTargets(
  sync: SyncCore,
  { table, localId }: LocalRef,
  pending: readonly PendingReference[],
): Promise<void> {
  if (pending.length === 0) return;
  await sync.database.inTransaction((session) =>
    notePending(session, { table, localId }, { side: "local", targets: pending }),
  );
  const pairs = createIdStore(sync.database);
  for (const target of pending) {
    if (!(await pairs.globalIds(target.table, [target.id])).has(target.id)) continue;
    await noteChange(sync.database, { table, localId, nowMs: sync.clock.nowMs() });
  }
}
