import { createHash } from "node:crypto";
import pg from "pg";

/** One SQL statement. With a `name` a connection prepares it once; without, PostgreSQL plans it for its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
  /** This side waits without limit, for example to build a large index. `set local` lifts the server's own limit. */
  readonly unbounded?: true;
}

/** A statement's result: its rows, and the number of affected rows. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly rowCount: number;
}

/**
 * Where statements run: the pool, or one open transaction. In a transaction, statements that are not awaited are sent
 * together and run in order.
 */
export interface Queryable {
  readonly query: <Row>(statement: Statement) => Promise<Rows<Row>>;
}

/** PostgreSQL through a bounded pool of connections. bigint columns are returned as numbers (all values here fit). */
export interface Database extends Queryable, AsyncDisposable {
  /** Runs `work` in one transaction on one connection; it commits when `work` resolves and rolls back when it throws. */
  readonly transaction: <T>(work: (transaction: Queryable) => Promise<T>) => Promise<T>;
}

/** Which database, through how many connections, and the time limits of statements and connections. */
export interface DatabaseConfig {
  readonly url: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
}

const INT8_OID = 20;
const LONGEST_NAME = 63;
/**
 * How much longer than the server's own limit this side waits for an answer: after that the connection is dead, not the
 * statement slow.
 */
const ANSWER_GRACE_MS = 3_000;
const NO_LIMIT_MS = 2 ** 31 - 1;
/**
 * A transaction waits only for its own statements, so one that is idle for longer has lost its client. Source: decision
 * V26.
 */
const IDLE_TRANSACTION_MS = 30_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
/**
 * A page is read in the order of an index and ends after its last row. While PostgreSQL has no statistics of an owner it
 * expects few rows, and at any higher cost of a page it reads all of them and sorts. Source:
 * docs/decisions/2026-11-23-page-of-a-fresh-vault.md.
 */
const PLANNER_OPTIONS = "-c random_page_cost=1";

/**
 * Opens a pool. The first statement opens the first connection. A connection that gives no answer 3 s after the
 * statement's limit, because a firewall dropped it, is closed and replaced.
 *
 * Refuses: never by itself; a statement rejects with the driver's error, whose `code` is the SQLSTATE.
 */
export function openDatabase(config: DatabaseConfig, onIdleError: (error: Error) => void): Database {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8_OID, Number);
  const pool = new pg.Pool({
    connectionString: config.url,
    max: config.maxConnections,
    statement_timeout: config.statementTimeoutMs,
    query_timeout: config.statementTimeoutMs + ANSWER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: config.connectTimeoutMs,
    application_name: config.applicationName,
    options: PLANNER_OPTIONS,
    pipeline: true,
    types,
  });
  pool.on("error", onIdleError);
  return {
    query: (statement) => run(pool, statement),
    transaction: (work) => inTransaction(pool, work),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** PostgreSQL truncates longer names, so that two statements would share one name. */
function withShortName(statement: Statement): Statement {
  const { name } = statement;
  if (name === undefined || name.length <= LONGEST_NAME) return statement;
  return { ...statement, name: createHash("sha256").update(name).digest("base64url") };
}

async function run<Row>(on: pg.Pool | pg.ClientBase, statement: Statement): Promise<Rows<Row>> {
  const { unbounded, ...query } = withShortName(statement);
  const result = await on.query((unbounded ? { ...query, query_timeout: NO_LIMIT_MS } : query) as pg.QueryConfig);
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}

async function inTransaction<T>(pool: pg.Pool, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool listens only to idle connections. A connection that is lost between two statements emits an error, which
  // without a listener ends the process.
  const onLost = (error: Error): void => {
    broken = error;
  };
  client.on("error", onLost);
  try {
    await client.query("begin");
    const result = await work({ query: (statement) => run(client, statement) });
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(broken);
  }
}
