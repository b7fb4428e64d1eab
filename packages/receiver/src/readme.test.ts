import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import pg from "pg";
import { createTestSender, makeEvent } from "./test-sender.ts";
import { createWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";
import type { WebhookStore } from "./webhook-store.ts";

const README = await readFile(path.join(import.meta.dirname, "../README.md"), "utf8");
const MODULES = path.join(import.meta.dirname, "../../../node_modules");

function blockOf(heading: string): string {
  const block = README.split("```").find((part) => part.startsWith(`${heading}\n`));
  return block?.slice(heading.length) ?? assert.fail(`the README has no block "${heading}"`);
}

/** A folder with one program of the README, placed like a reader's: beside a node_modules. */
async function placeExample(name: string): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "receiver-example-"));
  const file = path.join(folder, "example.ts");
  await symlink(MODULES, path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await writeFile(file, blockOf(`ts ${name}`));
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  await once(server.close(), "close");
  return port;
}

async function postWhenListening(url: string, init: RequestInit): Promise<Response> {
  for (let triesLeft = 200; ; triesLeft--) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (triesLeft === 0) throw error;
      await delay(50);
    }
  }
}

for (const name of ["express", "fastify", "hono", "node-http"]) {
  test(`the README's program for ${name} takes an event, drops its repetition and refuses a stranger`, async () => {
    assert.ok(blockOf(`ts ${name}`).trim().split("\n").length <= 17);
    await using example = await placeExample(name);
    const [sender, stranger] = [await createTestSender(), await createTestSender()];
    const port = await findFreePort();
    const env = { ...process.env, WEBHOOK_SECRET: sender.secret, PORT: String(port) };
    const child = spawn(process.execPath, [example.file], { env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    try {
      const url = `http://localhost:${port}/api/webhook`;
      const delivery = await sender.sign(makeEvent({ id: "the-record" }));
      const printed = once(child.stdout, "data");
      assert.deepEqual(await (await postWhenListening(url, delivery)).json(), { status: "applied" });
      assert.match(String(await printed), /update the-record/);
      assert.deepEqual(await (await fetch(url, delivery)).json(), { status: "duplicate" });
      assert.equal((await fetch(url, await stranger.sign(makeEvent()))).status, 401);
    } finally {
      child.kill();
      await ended;
    }
  });
}

test("the README's route for Next.js takes an event and refuses a stranger", async (t) => {
  await using example = await placeExample("next");
  const [sender, stranger] = [await createTestSender(), await createTestSender()];
  process.env["WEBHOOK_SECRET"] = sender.secret;
  t.after(() => delete process.env["WEBHOOK_SECRET"]);
  t.mock.method(console, "log", () => {});
  const { POST } = (await import(pathToFileURL(example.file).href)) as { readonly POST: WebhookReceiver };
  const ask = async (init: RequestInit) => POST(new Request("http://localhost/api/webhook", init));
  assert.deepEqual(await (await ask(await sender.sign(makeEvent()))).json(), { status: "applied" });
  assert.equal((await ask(await stranger.sign(makeEvent()))).status, 401);
});

test("a program of the README whose secret is not set does not start", async () => {
  await using example = await placeExample("node-http");
  const { WEBHOOK_SECRET: _none, ...env } = process.env;
  const child = spawn(process.execPath, [example.file], { env: { ...env, PORT: "0" }, stdio: "ignore" });
  assert.deepEqual((await once(child, "exit"))[0], 1);
});

/** A pool whose connections are closed on disposal, before its database is dropped. */
function openPool(connectionString: string): AsyncDisposable & { readonly pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString, max: 8 });
  const closed: Promise<unknown>[] = [];
  pool.on("connect", (client) => closed.push(once(client, "end")));
  const close = async () => {
    await pool.end();
    await Promise.all(closed);
  };
  return { pool, [Symbol.asyncDispose]: close };
}

test("with the README's PostgreSQL store each event is applied exactly once, in one transaction with the handler's write [S1 Delivery rules]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  await using opened = openPool(database.url);
  const { pool } = opened;
  await pool.query(blockOf("sql"));
  await pool.query("create table note (event_id text not null, at_version int not null)");
  await using example = await placeExample("postgres-store");
  const { createPostgresWebhookStore } = (await import(pathToFileURL(example.file).href)) as {
    readonly createPostgresWebhookStore: (from: pg.Pool) => WebhookStore<pg.PoolClient>;
  };
  const sender = await createTestSender();
  let failures = 3;
  const receive = createWebhookReceiver({
    secrets: [sender.secret],
    store: createPostgresWebhookStore(pool),
    onEvent: async ({ eventId, streamVersion }, client) => {
      await client.query("insert into note values ($1, $2)", [eventId, streamVersion]);
      if (failures-- > 0) throw new Error("after the write");
    },
    onError: () => {},
  });
  const post = async (event: object) => {
    const response = await receive(new Request("http://localhost", await sender.sign(event)));
    const body = (await response.json()) as { readonly status?: string };
    return body.status ?? response.status;
  };
  const first = makeEvent();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(first)));
  assert.deepEqual(answers.map(String).sort(), [
    "500",
    "500",
    "500",
    "applied",
    ...Array.from({ length: 16 }, () => "duplicate"),
  ]);
  const third = { ...first, eventId: crypto.randomUUID(), streamVersion: 3 };
  assert.equal(await post(third), "applied");
  assert.equal(await post({ ...first, eventId: crypto.randomUUID(), streamVersion: 2 }), "stale");
  assert.equal(await post(first), "stale");
  const { rows } = await pool.query("select event_id, at_version from note order by at_version");
  assert.deepEqual(rows, [
    { event_id: first["eventId"], at_version: 1 },
    { event_id: third.eventId, at_version: 3 },
  ]);
});
