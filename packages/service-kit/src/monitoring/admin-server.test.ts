import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { createHttpServer } from "../http/http-server.ts";
import { listen, listenAdmin } from "../http/listen.ts";
import { createLog } from "../log.ts";
import { openDatabase } from "../postgres/database.ts";
import { StartupError } from "../startup-error.ts";
import { openTestDatabase, TEST_SERVER_SETTING } from "../testing/test-database.ts";
import { listenWithAdmin } from "./listen-with-admin.ts";
import { createMetrics } from "./metrics.ts";
import { countRequests } from "./request-metrics.ts";

const log = createLog({ service: "test", level: "silent", pretty: false });
const PLACE = { host: "127.0.0.1", port: 0, portSetting: "DS_VAULT_PORT" };

function createService() {
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const service = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "any" }, allowedHeaders: [] });
  countRequests(service, metrics);
  service.get("/things/:id", async () => ({}));
  return { service, metrics, log };
}

/** A service with its admin port on the database at a URL, until the test ends. */
async function start(t: TestContext, databaseUrl: string) {
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const limits = {
    maxConnections: 2,
    statementTimeoutMs: 2_000,
    connectTimeoutMs: 5_000,
    applicationName: "admin-test",
  };
  const database = opened.use(openDatabase({ url: databaseUrl, ...limits }, () => undefined));
  const parts = { name: "example", ...createService(), database };
  return { ...parts, opened, ...(await listenWithAdmin(opened, parts, PLACE)) };
}

async function readiness(adminUrl: string) {
  const response = await fetch(`${adminUrl}/readyz`);
  const body = (await response.json()) as {
    service?: string;
    status?: string;
    error?: { code: string; message: string };
  };
  assert.equal(body.service, "example");
  return { status: response.status, message: body.status ?? body.error?.message, code: body.error?.code };
}

async function metricsOf(adminUrl: string): Promise<string> {
  const response = await fetch(`${adminUrl}/metrics`);
  assert.match(String(response.headers.get("content-type")), /^text\/plain; version=0\.0\.4/);
  return response.text();
}

test("/metrics and /readyz are at the admin port alone, on loopback alone, for no web page [V-DEC-019]", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { url, adminUrl } = await start(t, database.url);
  assert.match(adminUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.notEqual(adminUrl, url);
  for (const path of ["/metrics", "/readyz"]) {
    assert.equal((await fetch(url + path)).status, 404);
    assert.equal((await fetch(adminUrl + path)).status, 200);
    assert.equal((await fetch(adminUrl + path, { headers: { origin: "https://attacker.example" } })).status, 403);
  }
  assert.equal((await fetch(`${adminUrl}/things/1`)).status, 404);
  await assert.rejects(fetch(`${adminUrl.replace("127.0.0.1", "127.0.0.2")}/readyz`), /fetch failed/);
});

test("the admin port is 10000 above the service's [V-DEC-019]", async () => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  for (let tries = 0; ; tries += 1) {
    await using opened = new AsyncDisposableStack();
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      const { url, adminUrl } = await listenWithAdmin(
        opened,
        { name: "example", ...createService(), database },
        { ...PLACE, port },
      );
      assert.deepEqual([url, adminUrl], [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 10_000}`]);
      return;
    } catch (error) {
      // Another process may use one of the two.
      if (!(error instanceof StartupError) || tries === 20) throw error;
    }
  }
});

test("a service that listens on every address has its admin port on loopback all the same [V-DEC-019]", async () => {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  const parts = { name: "example", ...createService(), database };
  const { url, adminUrl } = await listenWithAdmin(opened, parts, { ...PLACE, host: "0.0.0.0" });
  // Another address of this machine, like one that other machines can reach.
  const elsewhere = (address: string) => fetch(`${address.replace("127.0.0.1", "127.0.0.2")}/things/1`);
  assert.equal((await elsewhere(url)).status, 200);
  await assert.rejects(elsewhere(adminUrl), /fetch failed/);
});

test("/readyz is 503 while the database accepts no connection, names its code and nothing else, and is 200 when it is back", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { adminUrl } = await start(t, database.url);
  const name = new URL(database.url).pathname.slice(1);
  const elsewhere = new URL(database.url);
  elsewhere.pathname = "/postgres";
  await using server = openDatabase(
    {
      url: elsewhere.href,
      maxConnections: 1,
      statementTimeoutMs: 5_000,
      connectTimeoutMs: 5_000,
      applicationName: "t",
    },
    () => undefined,
  );
  const close = async (isOpen: boolean): Promise<void> => {
    await server.query({ text: `alter database ${name} allow_connections ${isOpen}`, values: [] });
    const text = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
    if (!isOpen) await server.query({ text, values: [name] });
  };
  assert.deepEqual(await readiness(adminUrl), { status: 200, message: "ready", code: undefined });
  await close(false);
  t.after(() => close(true).catch(() => undefined));
  const message = "The database cannot be queried (55000).";
  let last = await readiness(adminUrl);
  // For a request on a connection that was just ended, the end of the connection may be reported first.
  for (let tries = 0; last.message !== message && tries < 5; tries += 1) {
    assert.equal(last.status, 503);
    last = await readiness(adminUrl);
  }
  assert.deepEqual(last, { status: 503, message, code: "NOT_READY" });
  await close(true);
  assert.equal((await readiness(adminUrl)).status, 200);
});

test("/readyz is 503 within a second or so of a database that accepts connections and does not answer, for any number of callers", async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  t.after(() => silent.close());
  const { adminUrl } = await start(t, `postgres://u:p@127.0.0.1:${(silent.address() as { port: number }).port}/d`);
  const answers = await Promise.all(Array.from({ length: 5 }, () => readiness(adminUrl)));
  const message = "The database does not answer within 1 s.";
  for (const answer of answers) assert.deepEqual(answer, { status: 503, message, code: "NOT_READY" });
  const connections = await new Promise((counted) => silent.getConnections((_error, count) => counted(count)));
  assert.equal(connections, 1, "one question for all");
});

test("/readyz is 503 from the moment at which the service closes, and the admin port is there until it is closed", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { service, metrics } = createService();
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.get("/slow", async () => {
    begun.resolve();
    await finish.promise;
    return {};
  });
  const opened = new AsyncDisposableStack();
  t.after(() => opened.disposeAsync());
  const { url, adminUrl } = await listenWithAdmin(opened, { name: "example", service, metrics, log, database }, PLACE);
  const slow = fetch(`${url}/slow`);
  await begun.promise;
  const closed = opened.disposeAsync();
  assert.deepEqual(await readiness(adminUrl), { status: 503, message: "The service is stopping.", code: "NOT_READY" });
  finish.resolve();
  assert.equal((await slow).status, 200);
  await closed;
  await assert.rejects(fetch(`${adminUrl}/readyz`), /fetch failed/);
});

test("requests are counted by route pattern and status; all unknown paths share one label", async (t) => {
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const { url, adminUrl } = await start(t, database.url);
  for (const id of ["1", "2", "3"]) await (await fetch(`${url}/things/${id}`)).text();
  for (let n = 0; n < 20; n += 1) await (await fetch(`${url}/made-up-${n}?q=${n}`, { method: "POST" })).text();
  await (await fetch(`${url}/things/1`, { method: "DELETE" })).text();
  const text = await metricsOf(adminUrl);
  assert.match(text, /^http_requests_total\{route="GET \/things\/:id",code="200"\} 3$/m);
  assert.match(text, /^http_requests_total\{route="unknown",code="404"\} 20$/m);
  assert.match(text, /^http_requests_total\{route="unknown",code="405"\} 1$/m);
  assert.match(text, /^http_request_duration_seconds_count\{route="GET \/things\/:id"\} 3$/m);
  assert.equal(text.match(/^http_requests_total\{/gm)?.length, 3);
  assert.doesNotMatch(text, /made-up/);
  for (const name of ["event_loop_delay_seconds", "process_resident_memory_bytes", "nodejs_heap_size_used_bytes"])
    assert.match(text, new RegExp(`^${name} [0-9.e+-]+$`, "m"));
});

test("a busy admin port is exit 78, and the message names the service's setting and that it is the admin port [P6] [V-DEC-015]", async (t) => {
  const [first, second] = [createService().service, createService().service];
  t.after(() => Promise.all([first.close(), second.close()]));
  const { port } = await listen(first, PLACE);
  await assert.rejects(listenAdmin(second, { ...PLACE, port: port - 10_000 }), {
    name: "StartupError",
    exitCode: 78,
    message: new RegExp(
      `^DS_VAULT_PORT: the admin port \\(10000 above\\) ${port} on 127\\.0\\.0\\.1 is already in use`,
    ),
  });
});
