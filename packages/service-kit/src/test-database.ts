import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

/** A database of its own for one test file, on a real server; disposing of it drops it. */
export interface TestDatabase extends Database {
  readonly url: string;
}

/** Where the server of a whole test run is named, so that each test file only makes a database on it. */
export const TEST_SERVER_SETTING = "DS_TEST_DATABASE_URL";

/**
 * Makes an empty database: on the server that the test run names, or on one of its own when a test file is run alone.
 *
 * In: `serverUrl`, a URL of a database from which others may be created, or undefined. Refuses: the server's errors.
 */
export async function openTestDatabase(serverUrl: string | undefined): Promise<TestDatabase> {
  await using stack = new AsyncDisposableStack();
  const url = serverUrl ?? (await startOwnServer(stack));
  const name = `test_${randomBytes(8).toString("hex")}`;
  const server = stack.use(openDatabase(configFor(url, 1), ignore));
  await server.query({ text: `create database ${name}`, values: [] });
  stack.defer(async () => {
    await server.query({ text: `drop database if exists ${name} with (force)`, values: [] });
  });
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = stack.use(openDatabase(configFor(own.href, 8), ignore));
  const owned = stack.move();
  return { ...database, url: own.href, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOwnServer(stack: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-test-"));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const checkoutDirectory = new URL("../../../", import.meta.url).pathname;
  const server = await startEmbeddedPostgres({ dataDirectory: directory, checkoutDirectory, report: ignore });
  return stack.use(server).url;
}

function configFor(url: string, maxConnections: number) {
  return {
    url,
    maxConnections,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    applicationName: "dataspace-test",
  };
}

function ignore(): void {
  // Nothing listens to a test server's reports.
}
