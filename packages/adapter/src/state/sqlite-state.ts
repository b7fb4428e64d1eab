import type { Queryable, StateDatabase } from "./state-database.ts";

const BUSY_MS = 5_000;
/** A text to the compiler: Node 20 has no types for the module. */
const SQLITE: string = "node:sqlite";
const TOO_OLD = "SQLite needs Node 22.16 or newer. Use createPostgresState or the state of an ORM instead.";

/** What the state uses of a connection of `node:sqlite`: a `DatabaseSync` fits. Node 20 has no types for it. */
export interface SqliteDatabase {
  readonly isTransaction: boolean;
  readonly exec: (sql: string) => void;
  readonly prepare: (sql: string) => SqliteStatement;
  readonly close: () => void;
}

/** A prepared statement. */
interface SqliteStatement {
  readonly all: (...values: (string | number | null)[]) => unknown[];
}

/** State in SQLite, which is closed when it is disposed of. */
export interface SqliteState<Database extends SqliteDatabase = SqliteDatabase>
  extends StateDatabase<Database>,
    Disposable {}

interface SqliteModule<Database> {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => Database;
}

/**
 * Keeps the adapter's state in SQLite, in a file or, for tests, in memory (":memory:").
 *
 * It has a connection of its own: what the platform writes through `transaction` is committed with it, and what the platform writes
 * elsewhere never gets into a transaction of the adapter. Transactions take turns. `openSqliteState<DatabaseSync>(path)` gives a
 * transaction the type that Node's own types have for the connection.
 *
 * Refuses: Error on a Node before 22.16; SQLite's errors.
 */
export function openSqliteState<Database extends SqliteDatabase = SqliteDatabase>(path: string): SqliteState<Database> {
  const database = openConnection<Database>(path);
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

/** Loads `node:sqlite` when it is used and not by an import, because every module has to load on Node 20, which lacks it. */
function openConnection<Database extends SqliteDatabase>(path: string): Database {
  const sqlite = process.getBuiltinModule(SQLITE) as SqliteModule<Database> | undefined;
  if (sqlite === undefined) throw new Error(TOO_OLD);
  const database = new sqlite.DatabaseSync(path, { timeout: BUSY_MS });
  // A version of the module without it knows no `timeout` either.
  if (typeof database.isTransaction === "boolean") return database;
  database.close();
  throw new Error(TOO_OLD);
}

/** Runs statements on a connection of SQLite, inside whatever transaction it is in. Refuses: SQLite's errors. */
export function sqliteQueryable(database: SqliteDatabase): Queryable {
  return { query: queryOn(database) };
}

function queryOn(database: SqliteDatabase): Queryable["query"] {
  const prepared = new Map<string, SqliteStatement>();
  return async <Row>({ text, values }: Parameters<Queryable["query"]>[0]) => {
    const statement = prepared.get(text) ?? database.prepare(toPlaces(text));
    prepared.set(text, statement);
    return statement.all(...values) as unknown[] as Row[];
  };
}

// SQLite keeps a list of numbered parameters and looks through it for each one, so a long statement has none: it takes its values in order.
function toPlaces(text: string): string {
  const isInOrder = [...text.matchAll(/\$(\d+)/g)].every(([, number], at) => Number(number) === at + 1);
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
