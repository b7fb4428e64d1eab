import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";

/** The result of a read with a byte limit: the total size, and the rows where they are within the limit. */
export interface BoundedRows<Row> {
  readonly bytes: number;
  /** undefined: they exceed the limit, and none of them left the database. */
  readonly rows: readonly Row[] | undefined;
}

/** A statement with a byte limit: its order, and the size of one row as SQL over its columns. */
export interface BoundableStatement extends Statement {
  readonly order: string;
  readonly rowBytes: string;
}

/** The size of a row beside its texts. */
const ROW_BYTES = 256;

/**
 * Runs a statement for its rows if they are within the limit, and otherwise for their size alone. The size of a long
 * text is known without reading it.
 *
 * Refuses: never by itself. Source: decision V25.
 */
export async function queryWithin<Row>(
  database: Queryable,
  { text, values, name, order, rowBytes }: BoundableStatement,
  mostBytes: number,
): Promise<BoundedRows<Row>> {
  const { rows } = await database.query<Row & { readonly pageBytes: number }>({
    ...(name === undefined ? {} : { name: `bounded:${name}` }),
    text: `with page as materialized (${text}),
 size as (select coalesce(sum(${ROW_BYTES} + ${rowBytes}), 0)::bigint as "pageBytes" from page)
 select * from size left join page on "pageBytes" <= $${values.length + 1}::bigint order by ${order}`,
    values: [...values, mostBytes],
  });
  const bytes = rows[0]?.pageBytes ?? 0;
  if (bytes > mostBytes) return { bytes, rows: undefined };
  return { bytes, rows: bytes === 0 ? [] : rows };
}
