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

const AT_ONCE = 500;

/**
 * Brings the rows that waited for new pairs of one table into their lanes: those of the platform's side go out again, the records of
 * the other side are read again. Call it in the transaction that saves the pairs. Refuses: the database's errors.
 */
export async function releasePending(
  on: Queryable,
  pairs: readonly Pick<Pair, "table" | "localId" | "globalId">[],
  nowMs: number,
): Promise<void> {
  for (let from = 0; from < pairs.length; from += AT_ONCE) {
    const some = pairs.slice(from, from + AT_ONCE);
    const locals = some.map(({ localId }) => localId);
    const globals = some.map(({ globalId }) => globalId);
    const table = some[0]?.table ?? "";
    for (const row of await takeWaiting(on, { table, side: "local", ids: locals }))
      await noteChange(on, { table: row.table_name, localId: row.local_id, nowMs });
    for (const row of await takeWaiting(on, { table, side: "global", ids: globals }))
      await noteChange(on, { table: row.table_name, localId: row.local_id, nowMs, pull: true });
  }
}

interface Waiting {
  readonly table_name: string;
  readonly local_id: string;
}

function takeWaiting(
  { query }: Queryable,
  { table, side, ids }: { readonly table: string; readonly side: PendingSide; readonly ids: readonly string[] },
): Promise<readonly Waiting[]> {
  const places = ids.map((_, at) => `$${at + 3}`).join(", ");
  const text = `delete from ds_pending where target_table = $1 and side = $2 and target_id in (${places})
    returning table_name, local_id`;
  return query<Waiting>({ text, values: [table, side, ...ids] });
}
