import type { Sync } from "../sync/sync.ts";
import { findTable, type Row } from "../sync/table-access.ts";

/** A page of a table's rows, and the id of its last. */
export interface RowPage {
  readonly rows: readonly Row[];
  readonly last: string;
}

const PAGE = 500;

/** Reads a table by pages, in the order of its ids. In: the id after which to begin. Refuses: Error for a table that cannot be listed, or whose list does not go on. */
export async function* eachPage<Transaction>(
  sync: Sync<Transaction>,
  tableName: string,
  after: string | undefined,
): AsyncGenerator<RowPage, void, undefined> {
  const list = findTable(sync.tables, tableName)?.list;
  if (list === undefined) throw new Error(`The table ${tableName} has no list: give createAdapter one.`);
  for (let from = after; ; ) {
    const rows = await list({ after: from, limit: PAGE });
    const last = rows.at(-1)?.["id"];
    if (last === undefined) return;
    if (String(last) === from)
      throw new Error(`The list of ${tableName} gives the row ${from} after itself: it is to begin behind \`after\`.`);
    from = String(last);
    yield { rows, last: from };
  }
}
