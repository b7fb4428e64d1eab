import { noteChange } from "./changes.ts";
import type { LocalRef, Pair } from "./pairs.ts";
import type { Queryable } from "./state-database.ts";

/** Whose id is missing: a row without a record (`local`), or a record without a row (`global`). */
export type PendingSide = "local" | "global";

/** A relation that waits for its target, by the target's id on the side where it is known. */
export interface PendingTarget {
  readonly table: string;
  readonly id: string;
}

/** Notes that a row waits for targets. Refuses: the database's errors. */
export async function notePending(
  { query }: Queryable,
  waiting: LocalRef,
  { side, targets }: { readonly side: PendingSide; readonly targets: readonly PendingTarget[] },
): Promise<void> {
  for (const { table, id } of targets) {
    await query({
      text: `insert into ds_pending (target_table, target_id, side, table_name, local_id) values ($1, $2, $3, $4, $5)
        on conflict do nothing`,
      values: [table, id, side, waiting.table, waiting.localId],
    });
  }
}

/**
 * Brings the rows that waited for a new pair into their lanes: those of the platform's side go out again, the records of the other
 * side are read again. Call it in the transaction that saves the pair. Refuses: the database's errors.
 */
export async function releasePending(
  on: Queryable,
  pair: Pick<Pair, "table" | "localId" | "globalId">,
  nowMs: number,
): Promise<void> {
  const sides = [
    ["local", pair.localId],
    ["global", pair.globalId],
  ] as const;
  for (const [side, id] of sides) {
    const rows = await on.query<{ readonly table_name: string; readonly local_id: string }>({
      text: `delete from ds_pending where target_table = $1 and target_id = $2 and side = $3 returning table_name, local_id`,
      values: [pair.table, id, side],
    });
    for (const row of rows) {
      await noteChange(on, { table: row.table_name, localId: row.local_id, nowMs, pull: side === "global" });
    }
  }
}
