/** One SQL statement; `$1` is the first value. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

/** Somewhere statements run. */
export interface Queryable {
  readonly query: <Row>(statement: Statement) => Promise<readonly Row[]>;
}

/** An open transaction: its statements, and what the platform's own code writes through. */
export interface Session<Transaction> extends Queryable {
  readonly transaction: Transaction;
}

/**
 * The database in which the adapter keeps its state: the platform's own, so that a change of the platform's data and what the adapter
 * knows of it are committed together.
 */
export interface StateDatabase<Transaction> extends Queryable {
  readonly dialect: "postgres" | "sqlite";
  /** Commits when `work` resolves, rolls back when it rejects. */
  readonly inTransaction: <T>(work: (session: Session<Transaction>) => Promise<T>) => Promise<T>;
}
