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
  SQLite: () => openSqlite(`/tmp/dataspace-adapter-${crypto.randomUUID()}.db`),
  PostgreSQL: openPostgres,
};

async function openSqlite(path: string): Promise<TestState> {
  const state = openSqliteState(path);
  await createStateTables(state);
  return { database: state, [Symbol.asyncDispose]: async () => state[Symbol.dispose]() };
}

async function openPostgres(serverUrl: string | undefined): Promise<TestState> {
  const server = await openTestDatabase(serverUrl);
  const pool = new pg.Pool({ connectionString: server.url, max: 4 });
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
