import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import pg from "pg";
import { DataTypes, Sequelize, type Transaction as SequelizeTransaction } from "sequelize";
import { DataSource, type EntityManager, EntitySchema } from "typeorm";
import type { WebhookEvent } from "@dataspace/receiver/webhook-event";
import { createAdapter } from "../create-adapter.ts";
import { receiveEvent } from "../inbound/webhook.ts";
import { createMappings } from "../mapping/create-mappings.ts";
import type { StateDatabase } from "../state/state-database.ts";
import type { Row, TableAccess } from "../sync/table-access.ts";
import { ADA, POSTS, TEST_MAPPINGS } from "../test-platform.ts";
import { createTestVaults } from "../test-vaults.ts";
import { createDrizzleState, noteDrizzleChange } from "./drizzle.ts";
import { installCapture } from "./install-capture.ts";
import { createPrismaState, notePrismaChange } from "./prisma.ts";
import { addSequelizeHooks, createSequelizeState, type SequelizeDatabase } from "./sequelize.ts";
import { openPrismaClient, type TestPrismaClient } from "./test-prisma-client.ts";
import { createTypeormState, createTypeormSubscriber } from "./typeorm.ts";

async function openDatabase(t: TestContext) {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const database = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  await database.query({ text: "create table posts (id text primary key, text text, owner text)", values: [] });
  return { url: database.url, opened };
}

function openPool(url: string, opened: AsyncDisposableStack): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // Its end does not wait for its connections, which the removal of the database then breaks.
  pool.on("error", () => {});
  opened.defer(() => pool.end());
  return pool;
}

function eventOf(members: Partial<WebhookEvent>): WebhookEvent {
  return {
    ...{ eventId: crypto.randomUUID(), id: "g1", dsid: ADA, schemaId: POSTS, data: { content: "from the vault" } },
    ...{ vaultPublicKey: null, operation: "create", streamVersion: 1, occurredAt: "2026-01-01T00:00:00.000Z" },
    ...members,
  };
}

/** What is the same for every way in which a platform holds its rows: both directions, and what is rolled back. */
async function proveBothWays<Transaction>(
  opened: AsyncDisposableStack,
  parts: {
    readonly state: StateDatabase<Transaction>;
    readonly table: TableAccess<Transaction>;
    readonly start?: (sync: Awaited<ReturnType<typeof createAdapter<Transaction>>>["sync"]) => void;
    /** Writes a row and notes it in one transaction; throws at the end when asked to. */
    readonly write: (row: { id: string; text: string; owner: string }, fails: boolean) => Promise<void>;
    /** Removes a row through the ORM's entity, where hooks note that. */
    readonly remove?: (id: string) => Promise<unknown>;
  },
): Promise<void> {
  const vaults = createTestVaults();
  const { state, table, start, write, remove } = parts;
  const adapter = await createAdapter({
    mappings: TEST_MAPPINGS,
    state,
    vaults: vaults.as("a"),
    tables: { posts: table },
  });
  opened.use(adapter);
  start?.(adapter.sync);
  await assert.rejects(write({ id: "p0", text: "rolled back", owner: ADA }, true));
  await write({ id: "p1", text: "hello", owner: ADA }, false);
  do await adapter.flush();
  while ((await adapter.status()).waiting > 0);
  assert.deepEqual(
    vaults.records(ADA).map(({ parsed }) => parsed["content"]),
    ["hello"],
  );
  assert.equal(await receiveEvent(adapter.sync, eventOf({})), "applied");
  assert.equal(
    await receiveEvent(adapter.sync, eventOf({ streamVersion: 2, operation: "update", data: { content: "edited" } })),
    "applied",
  );
  assert.equal((await adapter.status()).waiting, 0, "what came in does not go out");
  const rows = await state.query<Row>({ text: "select text from posts order by text", values: [] });
  assert.deepEqual(
    rows.map(({ text: value }) => value),
    ["edited", "hello"],
  );
  if (remove === undefined) return;
  await remove("p1");
  do await adapter.flush();
  while ((await adapter.status()).waiting > 0);
  assert.deepEqual(
    vaults.records(ADA).map(({ removed }) => removed),
    [true],
  );
}

test("TypeORM: changes are noted in their transaction, and events are applied through the EntityManager", async (t) => {
  const { url, opened } = await openDatabase(t);
  interface Post {
    id: string;
    text: string | null;
    owner: string | null;
  }
  const column = { type: "text", nullable: true } as const;
  const Post = new EntitySchema<Post>({
    name: "posts",
    columns: { id: { type: "text", primary: true }, text: column, owner: column },
  });
  const source = await new DataSource({ type: "postgres", url, entities: [Post] }).initialize();
  opened.defer(() => source.destroy());
  const repository = (transaction: EntityManager = source.manager) => transaction.getRepository(Post);
  await proveBothWays(opened, {
    state: createTypeormState(source),
    start: (sync) => void source.subscribers.push(createTypeormSubscriber(sync)),
    table: {
      read: async (id, transaction) =>
        ((await repository(transaction).findOneBy({ id })) ?? undefined) as Row | undefined,
      create: async (row, transaction) =>
        (await repository(transaction).save({ id: crypto.randomUUID(), ...row } as Post)).id,
      update: async (id, changes, transaction) => void (await repository(transaction).save({ id, ...changes } as Post)),
      remove: async (id, transaction) => void (await repository(transaction).delete({ id })),
    },
    write: (row, fails) =>
      source.transaction(async (transaction) => {
        await repository(transaction).save(row);
        if (fails) throw new Error("no");
      }),
    remove: async (id) => repository().remove((await repository().findOneByOrFail({ id })) as Post),
  });
});

test("Drizzle: changes are noted in their transaction, and events are applied through it", async (t) => {
  const { url, opened } = await openDatabase(t);
  const pool = openPool(url, opened);
  const posts = pgTable("posts", { id: text().primaryKey(), text: text(), owner: text() });
  const database = drizzle(pool);
  type Transaction = Parameters<Parameters<typeof database.transaction>[0]>[0];
  const state = createDrizzleState<Transaction>(database);
  let sync: Parameters<typeof noteDrizzleChange>[0] | undefined;
  await proveBothWays<Transaction>(opened, {
    state,
    start: (started) => {
      sync = started;
    },
    table: {
      read: async (id, transaction) =>
        (await (transaction ?? database).select().from(posts).where(eq(posts.id, id)))[0],
      create: async (row, transaction) => {
        const id = crypto.randomUUID();
        await transaction.insert(posts).values({ ...row, id });
        return id;
      },
      update: async (id, changes, transaction) =>
        void (await transaction.update(posts).set(changes).where(eq(posts.id, id))),
      remove: async (id, transaction) => void (await transaction.delete(posts).where(eq(posts.id, id))),
    },
    write: (row, fails) =>
      database.transaction(async (transaction) => {
        await transaction.insert(posts).values(row);
        await noteDrizzleChange(sync!, transaction, { data: row, tableName: "posts" });
        if (fails) throw new Error("no");
      }),
  });
});

test("Prisma: changes are noted in their transaction, and events are applied through it", async (t) => {
  const { url, opened } = await openDatabase(t);
  const client = openPrismaClient(url);
  opened.defer(() => client.$disconnect());
  let sync: Parameters<typeof notePrismaChange>[0] | undefined;
  await proveBothWays<TestPrismaClient>(opened, {
    state: createPrismaState(client),
    table: {
      read: async (id, transaction) =>
        ((await (transaction ?? client).posts.findUnique({ where: { id } })) ?? undefined) as Row | undefined,
      create: async (row, transaction) =>
        (await transaction.posts.create({ data: { ...row, id: crypto.randomUUID() } })).id,
      update: async (id, data, transaction) => void (await transaction.posts.update({ where: { id }, data })),
      remove: async (id, transaction) => void (await transaction.posts.delete({ where: { id } })),
    },
    start: (started) => {
      sync = started;
    },
    write: (row, fails) =>
      client.$transaction(async (transaction) => {
        await transaction.posts.create({ data: row });
        await notePrismaChange(sync!, transaction, { data: row, tableName: "posts" });
        if (fails) throw new Error("no");
      }),
  });
});

test("Sequelize: its hooks note changes in their transaction, removals too, and events are applied through it", async (t) => {
  const { url, opened } = await openDatabase(t);
  // Sequelize does not read a URL that names a socket; pg does.
  const { host, port, user, database } = new pg.Client({ connectionString: url });
  const place = { host, port, username: user ?? "", database: database ?? "" };
  const sequelize = new Sequelize({ ...place, logging: false, dialect: "postgres" });
  opened.defer(() => sequelize.close());
  const column = { type: DataTypes.TEXT };
  const fields = { id: { ...column, primaryKey: true }, text: { ...column }, owner: { ...column } };
  const Post = sequelize.define("posts", fields, { timestamps: false, freezeTableName: true });
  const queries: SequelizeDatabase<SequelizeTransaction> = sequelize as never;
  const on = (transaction: SequelizeTransaction | undefined) => (transaction === undefined ? {} : { transaction });
  const state = createSequelizeState(queries);
  await installCapture(state, { mappings: createMappings([]) });
  await proveBothWays<SequelizeTransaction>(opened, {
    state,
    table: {
      read: async (id, transaction) =>
        (await Post.findByPk(id, on(transaction)))?.get({ plain: true }) as Row | undefined,
      create: async (row, transaction) => {
        const id = crypto.randomUUID();
        await Post.create({ ...row, id }, { transaction });
        return id;
      },
      update: async (id, changes, transaction) => void (await Post.update(changes, { where: { id }, transaction })),
      remove: async (id, transaction) => void (await Post.destroy({ where: { id }, transaction })),
    },
    start: (sync) => addSequelizeHooks(sync, queries),
    write: (row, fails) =>
      sequelize.transaction(async (transaction) => {
        await Post.create(row, { transaction });
        if (fails) throw new Error("no");
      }),
    remove: async (id) => (await Post.findByPk(id))?.destroy(),
  });
});
