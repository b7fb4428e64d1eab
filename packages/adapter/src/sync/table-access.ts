/** A row of the platform, as its mapping's local paths read it. `id` is its local id. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * How the adapter reads and writes one table of the platform. What it writes, it writes through `transaction`, so that the row and
 * what the adapter notes are committed together; `read` without a transaction sees what is committed.
 */
export interface TableAccess<Transaction> {
  readonly read: (localId: string, transaction: Transaction | undefined) => Promise<Row | undefined>;
  /** Out: the new row's id. */
  readonly create: (row: Row, transaction: Transaction) => Promise<string | number>;
  /** Writes the given top-level fields and leaves all others. */
  readonly update: (localId: string, changes: Row, transaction: Transaction) => Promise<void>;
  /** Removes the row, or archives it. */
  readonly remove: (localId: string, transaction: Transaction) => Promise<void>;
  /** Brings a row back that `remove` archived, when its record comes back. */
  readonly restore?: (localId: string, transaction: Transaction) => Promise<void>;
  /** Rows in the order of their ids, from the one after `after`: for backfill and diff. */
  readonly list?: (page: { readonly after: string | undefined; readonly limit: number }) => Promise<readonly Row[]>;
  /** The number of rows, so that a command can say how far it is. */
  readonly count?: () => Promise<number>;
  /** Where several tables share a schema: whether a new record belongs here. The first table that says so gets it. */
  readonly accepts?: (payload: Readonly<Record<string, unknown>>) => boolean;
}

/** The platform's tables by their names. */
export type Tables<Transaction> = Readonly<Record<string, TableAccess<Transaction>>>;

/** Finds a table by its name. Refuses: never. */
export function findTable<Table>(tables: Readonly<Record<string, Table>>, name: string): Table | undefined {
  return Object.hasOwn(tables, name) ? tables[name] : undefined;
}
