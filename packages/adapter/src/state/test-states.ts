import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openTestDatabase } from "@dataspace/service-kit/testing/test-database";
import pg from "pg";
import { createPostgresState } from "./postgres-state.ts";
import { openSqliteState } from "./sqlite-state.ts";
import type { StateDatabase } from "./state-database.ts";
import { createStateTables } from "./state-tables.ts";

/** A state for a test; disposing of it ends it. */
export interface TestState extends AsyncDisposable {
  readonly database: StateDatabase<unknown>;
}

/** Opens each kind of state that there is, empty, with its tables. */
export const TEST_STATES: Readonly<Record<string, (serverUrl: string | undefined) => Promise<TestState>>> = {
  memory: () => openSqlite(":memory:"),
  SQLite: openSqliteFile,
  PostgreSQL: openPostgres,
};

async function openSqliteFile(): Promise<TestState> {
  const directory = await mkdtemp(path.join(tmpdir(), "dataspace-adapter-"));
  const state = await openSqlite(path.join(directory, "state.db"));
  return {
    database: state.database,
    [Symbol.asyncDispose]: async () => {
      await state[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

async function openSqlite(file: string): Promise<TestState> {
  const state = openSqliteState(file);
  await createStateTables(state);
  return { database: state, [Symbol.asyncDispose]: async () => state[Symbol.dispose]() };
}

async function openPostgres(serverUrl: string | undefined): Promise<TestState> {
  const server = await openTestDatabase(serverUrl);
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
  // Its end does not wait for its connections, which the removal of the database then breaks.
  pool.on("error", () => {});
  const database = createPostgresState(pool);
  await createStateTables(database);
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await server[Symbol.asyncDispose]();
    },
  };
}
