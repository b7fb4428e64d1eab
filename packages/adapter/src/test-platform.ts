import type { DatabaseSync } from "node:sqlite";
import { type Adapter, createAdapter } from "./create-adapter.ts";
import { receiveEvent } from "./inbound/webhook.ts";
import { createMappings } from "./mapping/create-mappings.ts";
import type { Mappings } from "./mapping/mapping.ts";
import { openSqliteState, sqliteQueryable } from "./state/sqlite-state.ts";
import type { StateDatabase } from "./state/state-database.ts";
import type { Report } from "./sync/report.ts";
import { createSqlTable } from "./sync/sql-table.ts";
import type { Tables } from "./sync/table-access.ts";
import type { Vaults } from "./sync/vaults.ts";
import type { TestVaults } from "./test-vaults.ts";

/** The owner in most tests. */
export const ADA = "@11111111-1111-4111-8111-111111111111";
/** Another owner. */
export const BOB = "@22222222-2222-4222-8222-222222222222";

const TABLES = [
  "create table users (id text primary key, ename text, name text, photo text)",
  "create table posts (id text primary key, text text, likes integer, created_at text, author_id text, owner text, tags text)",
];
/** The schema of users. */
export const USERS = "550e8400-e29b-41d4-a716-446655440000";
/** The schema of posts. */
export const POSTS = "550e8400-e29b-41d4-a716-446655440001";

/** The mappings of the platforms in tests: users and posts. */
export const TEST_MAPPINGS: Mappings = createMappings([
  {
    file: "users.json",
    document: {
      tableName: "users",
      schemaId: USERS,
      ownerEnamePath: "ename",
      localToUniversalMap: { name: "displayName", ename: "ename", photo: "__file(photo),avatarUrl" },
    },
  },
  {
    file: "posts.json",
    document: {
      tableName: "posts",
      schemaId: POSTS,
      ownerEnamePath: "owner",
      localToUniversalMap: {
        text: "content",
        likes: "stats.likes",
        createdAt: "__date(createdAt)",
        author: "users(author.id),authorId",
        tags: "tags",
      },
    },
  },
]);

/** A platform with users and posts in SQLite. */
export interface TestPlatform extends AsyncDisposable {
  readonly adapter: Adapter<DatabaseSync>;
  readonly reports: Report[];
  /** Runs a statement of the platform's own. */
  readonly run: (text: string, ...values: (string | number | null)[]) => Promise<readonly Record<string, unknown>[]>;
  /** Writes a row and notifies the adapter. */
  readonly write: (table: "users" | "posts", row: Readonly<Record<string, string | number | null>>) => Promise<void>;
  /** Takes the events that it has not received yet, and sends what is due. Out: how many events. */
  readonly hear: () => Promise<number>;
  /** Until it has nothing to send. */
  readonly settle: () => Promise<void>;
}

/** The path of its database, which it finds again after a restart; its time; and what sees each of its steps. */
export interface TestPlatformOptions {
  readonly path?: string;
  readonly clock?: { readonly nowMs: () => number };
  /** Called before and after every statement and every call of a vault. */
  readonly atStep?: () => void;
  /** How many events it has received already. */
  readonly received?: number;
}

/** Starts a platform. */
export async function startTestPlatform(
  name: string,
  vaults: Pick<TestVaults, "as" | "eventsFor">,
  { path = ":memory:", clock, atStep = () => {}, received: before = 0 }: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const state = openSqliteState<DatabaseSync>(path);
  for (const text of TABLES)
    await state.query({ text: text.replace("create table", "create table if not exists"), values: [] });
  const reports: Report[] = [];
  const adapter = await createAdapter({
    mappings: TEST_MAPPINGS,
    state: watchState(state, atStep),
    vaults: watchVaults(vaults.as(name), atStep),
    tables: testTables(state),
    onReport: (report) => void reports.push(report),
    ...(clock === undefined ? {} : { clock }),
  });
  let received = before;
  const settle = async (): Promise<void> => {
    do await adapter.flush();
    while ((await adapter.status()).waiting > 0);
  };
  return {
    adapter,
    reports,
    run: (text, ...values) => state.query({ text, values }),
    write: async (table, row) => {
      const names = Object.keys(row);
      const places = names.map((_name, at) => `$${at + 1}`).join(", ");
      const set = names.map((column) => `${column} = excluded.${column}`).join(", ");
      const text = `insert into ${table} (${names.join(", ")}) values (${places}) on conflict (id) do update set ${set}`;
      await state.query({ text, values: Object.values(row) });
      await adapter.handleChange({ data: row, tableName: table });
    },
    hear: async () => {
      const news = vaults.eventsFor(name).slice(received);
      for (const event of news) await receiveEvent(adapter.sync, event);
      received += news.length;
      await settle();
      return news.length;
    },
    settle,
    [Symbol.asyncDispose]: async () => {
      await adapter[Symbol.asyncDispose]();
      state[Symbol.dispose]();
    },
  };
}

function testTables(database: StateDatabase<DatabaseSync>): Tables<DatabaseSync> {
  const shared = {
    database,
    newId: () => crypto.randomUUID(),
    inTransaction: sqliteQueryable,
  };
  return {
    users: createSqlTable({ ...shared, table: "users", columns: { ename: "ename", name: "name", photo: "photo" } }),
    posts: createSqlTable({
      ...shared,
      table: "posts",
      json: ["tags"],
      columns: {
        text: "text",
        likes: "likes",
        createdAt: "created_at",
        "author.id": "author_id",
        owner: "owner",
        tags: "tags",
      },
    }),
  };
}

type Act<Args extends unknown[], T> = (...args: Args) => Promise<T>;

function watch<Args extends unknown[], T>(act: Act<Args, T>, atStep: () => void): Act<Args, T> {
  return async (...args) => {
    atStep();
    const result = await act(...args);
    atStep();
    return result;
  };
}

function watchState(state: StateDatabase<DatabaseSync>, atStep: () => void): StateDatabase<DatabaseSync> {
  return {
    dialect: state.dialect,
    query: (statement) => watch(() => state.query<never>(statement), atStep)(),
    inTransaction: watch(
      (work) =>
        state.inTransaction((session) =>
          work({
            transaction: session.transaction,
            query: (statement) => watch(() => session.query<never>(statement), atStep)(),
          }),
        ) as Promise<never>,
      atStep,
    ),
  };
}

function watchVaults(vaults: Vaults, atStep: () => void): Vaults {
  return {
    vault: (owner) => {
      const { create, update, remove, get, ...others } = vaults.vault(owner);
      const [watchedCreate, watchedUpdate] = [watch(create, atStep), watch(update, atStep)];
      return {
        ...others,
        create: watchedCreate,
        update: watchedUpdate,
        remove: watch(remove, atStep),
        get: watch(get, atStep),
      };
    },
  };
}
