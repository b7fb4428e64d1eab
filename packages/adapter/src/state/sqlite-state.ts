import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Queryable, StateDatabase } from "./state-database.ts";

const BUSY_MS = 5_000;

/** State in SQLite, which is closed when it is disposed of. */
export interface SqliteState extends StateDatabase<DatabaseSync>, Disposable {}

/**
 * Keeps the adapter's state in SQLite, in a file or, for tests, in memory (":memory:").
 *
 * It has a connection of its own: what the platform writes through `transaction` is committed with it, and what the platform writes
 * elsewhere never gets into a transaction of the adapter. Transactions take turns. Refuses: SQLite's errors.
 */
export function openSqliteState(path: string): SqliteState {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  if (path !== ":memory:") database.exec("pragma journal_mode = wal; pragma synchronous = full");
  const query = queryOn(database);
  const inTurn = createTurns();
  return {
    dialect: "sqlite",
    query: (statement) => inTurn(() => query(statement)),
    inTransaction: (work) =>
      inTurn(async () => {
        database.exec("begin immediate");
        try {
          const result = await work({ transaction: database, query });
          database.exec("commit");
          return result;
        } catch (error) {
          if (database.isTransaction) database.exec("rollback");
          throw error;
        }
      }),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Runs statements on a connection of SQLite, inside whatever transaction it is in. Refuses: SQLite's errors. */
export function sqliteQueryable(database: DatabaseSync): Queryable {
  return { query: queryOn(database) };
}

function queryOn(database: DatabaseSync): Queryable["query"] {
  const prepared = new Map<string, StatementSync>();
  return async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) => {
    const statement = prepared.get(text) ?? database.prepare(toPlaces(text));
    prepared.set(text, statement);
    return statement.all(...values) as unknown[] as Row[];
  };
}

// SQLite keeps a list of numbered parameters and looks through it for each one, so a long statement has none: it takes its values in order.
function toPlaces(text: string): string {
  const numbers = text.matchAll(/\$(\d+)/g).map(([, number]) => Number(number));
  const isInOrder = [...numbers].every((number, at) => number === at + 1);
  return text.replaceAll(/\$(\d+)/g, isInOrder ? "?" : "?$1");
}

/** Runs what it is given one after the other. */
function createTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act, act);
    last = turn.catch(() => {});
    return turn;
  };
}
