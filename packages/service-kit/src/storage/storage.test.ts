import assert from "node:assert/strict";
import * as fs from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assertFitServer } from "../postgres/database-url.ts";
import { runOneStatement } from "../postgres/one-statement.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { openStorage, type StorageConfig } from "./storage.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));

/** An operator's server: on a loopback port, with a password, and with fsync off. */
let server: EmbeddedPostgres;
let base: string;

before(async () => {
  base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "dataspace-storage-")));
  fs.chmodSync(base, 0o711);
  const dataDirectory = join(base, "x".repeat(100)); // too long for a socket
  const settings = { fsync: "off" };
  server = await startEmbeddedPostgres({
    dataDirectory,
    checkoutDirectory: CHECKOUT,
    report: () => undefined,
    settings,
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  fs.rmSync(base, { recursive: true });
});

interface Setup {
  readonly reports: string[];
  readonly open: (databaseUrl: string | undefined, more?: Partial<StorageConfig>) => ReturnType<typeof openStorage>;
}

function setup(t: TestContext): Setup {
  const dataDirectory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "dataspace-data-")));
  t.after(() => fs.rmSync(dataDirectory, { recursive: true }));
  const reports: string[] = [];
  const report = (line: string) => reports.push(line);
  const config = { dataDirectory, checkoutDirectory: CHECKOUT, report, production: false };
  return { reports, open: (databaseUrl, more = {}) => openStorage({ ...config, databaseUrl, ...more }) };
}

function changed(change: (url: URL) => void): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

interface SilentServer {
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Accepts connections and never answers. */
async function startSilentServer(t: TestContext): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (silent.listening) await new Promise((resolve) => silent.close(resolve));
  };
  t.after(close);
  const { port } = silent.address() as AddressInfo;
  return { port, url: `postgresql://u:hidden-word@127.0.0.1:${port}/d`, close };
}

test("openStorage(): without DATABASE_URL the embedded PostgreSQL, durable, and said so [P4]", async (t) => {
  const s = setup(t);
  await using storage = await s.open(undefined);
  assert.match(storage.description, /^PostgreSQL 18\.\d+, embedded, durable \(fsync on, checksums on\)$/);
  assert.equal(storage.durable, true);
  assert.ok(storage.directory !== undefined && fs.existsSync(join(storage.directory, "postgres")));
  const [row] = await runOneStatement(
    { url: storage.url, timeoutMs: 5000 },
    { text: "select current_database() as d", values: [] },
  );
  assert.deepEqual({ ...(row as object) }, { d: "dataspace" });
});

test("openStorage(): DATABASE_URL of a fit server is used, its password is not shown, its weakness is [P4] [V-DEC-024]", async (t) => {
  const s = setup(t);
  await using storage = await s.open(server.url);
  const { port, password } = new URL(server.url);
  assert.match(storage.description, new RegExp(`at 127.0.0.1:${port}, database postgres, NOT durable \\(fsync off`));
  assert.ok(!storage.description.includes(password));
  assert.equal(storage.durable, false);
  assert.equal(storage.directory, undefined);
});

const REFUSALS: readonly (readonly [what: string, url: () => string, message: RegExp])[] = [
  ["another scheme", () => "mysql://u:hidden-word@127.0.0.1/d", /must look like postgresql:\/\//],
  ["no address at all", () => "hidden-word", /must look like/],
  ["an address that does not parse", () => "postgresql://u:hidden-word@127.0.0.1:port/d", /not an address/],
  ["a wrong password", () => changed((url) => (url.password = "hidden-word")), /refuses the user name or the password/],
  ["no password", () => changed((url) => (url.password = "")), /asks for a password, the address has none/],
  ["an unknown database", () => changed((url) => (url.pathname = "/nowhere")), /no database of that name/],
  ["TLS where there is none", () => changed((url) => (url.search = "?sslmode=require")), /SSL/],
];

for (const [what, url, message] of REFUSALS) {
  test(`openStorage(): DATABASE_URL with ${what} is exit 78 and one clear line without the password [P6]`, async (t) => {
    const s = setup(t);
    for (const production of [false, true]) {
      await assert.rejects(s.open(url(), { production }), (error: Error & { exitCode: number }) => {
        assert.equal(error.exitCode, 78);
        assert.match(error.message, /^DATABASE_URL: [^\n]+$/);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /hidden-word/);
        return true;
      });
    }
  });
}

test("openStorage(): DATABASE_URL of a database that is not UTF8 is refused", async (t) => {
  const s = setup(t);
  const text = "create database latin encoding 'LATIN1' locale 'C' template template0 locale_provider libc";
  await runOneStatement({ url: server.url, timeoutMs: 10_000 }, { text, values: [] });
  const refusal = { exitCode: 78, message: /^DATABASE_URL: its encoding is LATIN1/ };
  await assert.rejects(s.open(changed((url) => (url.pathname = "/latin"))), refusal);
});

test("openStorage(): a server with fsync off is refused in production [F-11]", async (t) => {
  const s = setup(t);
  await assert.rejects(s.open(server.url, { production: true }), {
    exitCode: 78,
    message: /^DATABASE_URL: fsync is off/,
  });
});

test("assertFitServer(): a version below 15 and a standby are refused, each in a line of its own [V-DEC-024]", () => {
  const good = {
    version: "15.0",
    versionNum: 150_000,
    encoding: "UTF8",
    fsync: true,
    checksums: true,
    readOnly: false,
  };
  assertFitServer(good, true);
  const bad = { ...good, version: "14.10", versionNum: 140_010, readOnly: true };
  assert.throws(
    () => assertFitServer(bad, false),
    /^StartupError: DATABASE_URL: .*version 14\.10; 15.*\nDATABASE_URL: .*standby/,
  );
});

test("openStorage(): in development a server that is not there is exit 78 within seconds, one that takes connections and never answers later", async (t) => {
  const s = setup(t);
  const silent = await startSilentServer(t);
  const start = performance.now();
  const gone = await startSilentServer(t);
  await gone.close();
  const timed = async (url: string) => {
    const [outcome] = await Promise.allSettled([s.open(url)]);
    return { ...outcome, tookMs: performance.now() - start };
  };
  const outcomes = await Promise.all([timed(silent.url), timed(gone.url)]);
  const [silentMs = 0, goneMs = 0] = outcomes.map(({ tookMs }) => tookMs);
  assert.ok(goneMs > 3_000 && goneMs < silentMs && silentMs > 10_000, `${goneMs} ms, ${silentMs} ms`);
  for (const outcome of outcomes) {
    assert.ok(outcome.status === "rejected");
    assert.equal(outcome.reason.exitCode, 78);
    assert.match(outcome.reason.message, /^DATABASE_URL: no PostgreSQL answers at 127\.0\.0\.1:\d+, database d/);
    assert.doesNotMatch(outcome.reason.message, /hidden-word/);
  }
  assert.match(s.reports.join("\n"), /Waiting for the PostgreSQL of DATABASE_URL/);
});

/** Makes the server reachable on another port from now on. */
async function startRelay(t: TestContext, port: number): Promise<void> {
  const relay = createServer((socket) => {
    const onward = connect(Number(new URL(server.url).port), "127.0.0.1");
    for (const side of [socket, onward]) side.on("error", () => undefined);
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => relay.listen(port, "127.0.0.1", resolve));
  t.after(() => relay.close());
}

test("openStorage(): in production a server that comes late is waited for [F-20]", async (t) => {
  const s = setup(t);
  const silent = await startSilentServer(t);
  await silent.close();
  const url = changed((each) => (each.port = String(silent.port)));
  const waiting = s.open(url, { production: true }).catch((error: Error) => error.message);
  assert.equal(await Promise.race([waiting, sleep(600, "still waiting")]), "still waiting");
  await startRelay(t, silent.port);
  assert.match(String(await waiting), /fsync is off/); // what only the server itself can have said
  assert.match(s.reports.join("\n"), /^Waiting for the PostgreSQL of DATABASE_URL at .* \(ECONNREFUSED\)\.$/);
});

test("openStorage(): the waiting ends when the signal fires", async (t) => {
  const s = setup(t);
  const stop = new AbortController();
  const silent = await startSilentServer(t);
  await silent.close();
  const waiting = s.open(silent.url, { production: true, signal: stop.signal });
  setTimeout(() => stop.abort(), 300);
  await assert.rejects(waiting, { name: "AbortError" });
});

test("openStorage(): in production a data directory that others may enter is refused [P7]", async (t) => {
  const s = setup(t);
  const open = join(base, "open");
  fs.mkdirSync(open);
  fs.chmodSync(open, 0o755);
  const refusal = { exitCode: 78, message: /^DS_DATA_DIR: other users may enter/ };
  await assert.rejects(s.open(undefined, { production: true, dataDirectory: open }), refusal);
});
