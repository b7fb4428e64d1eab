import { randomBytes } from "node:crypto";
import { type Database, type DatabaseConfig, openDatabase } from "./database.ts";
import { startTemporaryPostgres } from "./temporary-postgres.ts";

/** A database of its own for one test, on a real server; disposing of it drops it. */
export interface TestDatabase extends Database {
  readonly url: string;
}

/** Names the server of a whole test run, so that each test only makes a database on it. */
export const TEST_SERVER_SETTING = "DS_TEST_DATABASE_URL";

/**
 * Makes an empty database: on the server that the test run names, or on one of its own when a test file is run alone.
 *
 * In: `serverUrl`, a URL of a database from which others may be created, or undefined. Refuses: the server's errors.
 */
export async function openTestDatabase(serverUrl: string | undefined): Promise<TestDatabase> {
  await using stack = new AsyncDisposableStack();
  const server = serverUrl ?? stack.use(await startTemporaryPostgres()).url;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runOn(server, `create database ${name}`);
  stack.defer(() => runOn(server, `drop database if exists ${name} with (force)`));
  const url = urlOf(server, name);
  const database = stack.use(openDatabase(configFor(url, 8), () => {}));
  const owned = stack.move();
  return {
    query: database.query,
    transaction: database.transaction,
    url,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function runOn(url: string, text: string): Promise<void> {
  await using database = openDatabase(configFor(url, 1), () => {});
  await database.query({ text, values: [] });
}

function configFor(url: string, maxConnections: number): DatabaseConfig {
  const limits = { statementTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
  return { url, maxConnections, ...limits, applicationName: "dataspace-test" };
}
