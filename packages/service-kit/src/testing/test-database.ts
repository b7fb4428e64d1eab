import { randomBytes } from "node:crypto";
import type { Database } from "../postgres/database.ts";
import { type MigrationSource, migrate } from "../postgres/migrations.ts";
import { startTemporaryPostgres } from "../storage/temporary-postgres.ts";
import { connectTo, runOn, urlOf } from "./test-connection.ts";
import { findTemplate } from "./test-template.ts";

/** A database for one test, on a real server; disposing of it drops it. */
export interface TestDatabase extends Database {
  readonly url: string;
}

/** Names the server of a whole test run, so that each test only creates a database on it. */
export const TEST_SERVER_SETTING = "DS_TEST_DATABASE_URL";

/**
 * Creates a database, empty or with a service's tables: on the test run's server, or on a new one when a test file runs
 * alone.
 *
 * In: `serverUrl`, a URL of a database from which others may be created, or undefined. Refuses: as `migrate`, and the
 * server's errors.
 */
export async function openTestDatabase(
  serverUrl: string | undefined,
  migrations?: MigrationSource,
): Promise<TestDatabase> {
  await using stack = new AsyncDisposableStack();
  const server = serverUrl ?? stack.use(await startTemporaryPostgres()).url;
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = migrations && (await findTemplate(server, migrations));
  await runOn(server, `create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  stack.defer(async () => void (await runOn(server, `drop database if exists ${name} with (force)`)));
  const url = urlOf(server, name);
  const database = stack.use(connectTo(url, 8));
  if (migrations !== undefined && template === undefined) await migrate(database, migrations);
  const owned = stack.move();
  return {
    query: database.query,
    transaction: database.transaction,
    url,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
