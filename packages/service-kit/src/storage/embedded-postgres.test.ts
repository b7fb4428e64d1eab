import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runOneStatement } from "../postgres/one-statement.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresConfig, startEmbeddedPostgres } from "./embedded-postgres.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));
const MODULES = ["./embedded-postgres.ts", "../postgres/database.ts"].map(
  (path) => new URL(path, import.meta.url).href,
);
const IS_ROOT = process.getuid?.() === 0;
const NOT_ROOT = IS_ROOT ? false : "only root starts PostgreSQL as another user";
const NOT_LINUX = process.platform === "linux" ? false : "needs /proc to find the processes of a server";

interface Setup {
  readonly dataDirectory: string;
  readonly reports: string[];
  readonly start: (more?: Partial<EmbeddedPostgresConfig>) => Promise<EmbeddedPostgres>;
}

function setup(t: TestContext, path = ""): Setup {
  const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "dataspace-embedded-")));
  fs.chmodSync(base, 0o711);
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const dataDirectory = join(base, path);
  fs.mkdirSync(dataDirectory, { recursive: true });
  const reports: string[] = [];
  const report = (line: string) => reports.push(line);
  const start = (more = {}) => startEmbeddedPostgres({ dataDirectory, checkoutDirectory: CHECKOUT, report, ...more });
  return { dataDirectory, reports, start };
}

async function ask<Row>(url: string, text: string): Promise<Row> {
  const [row] = await runOneStatement<Row>({ url, timeoutMs: 10_000 }, { text, values: [] });
  assert.ok(row !== undefined);
  return row;
}

async function execute(url: string, text: string): Promise<void> {
  await runOneStatement({ url, timeoutMs: 10_000 }, { text, values: [] });
}

function isAlive(pid: number): boolean {
  try {
    if (process.platform !== "linux") return process.kill(pid, 0);
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8")); // a zombie only waits to be counted
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${limitMs} ms: ${condition}`);
    await sleep(20);
  }
}

test("startEmbeddedPostgres(): a PostgreSQL 18 with fsync, checksums, UTF8 and C.UTF-8, fit for people's data [P4] [V-DEC-025]", async (t) => {
  await using server = await setup(t).start();
  const url = await server.createDatabaseIfMissing('odd "name"');
  assert.equal(await server.createDatabaseIfMissing('odd "name"'), url);
  const names = ["fsync", "full_page_writes", "synchronous_commit", "data_checksums", "jit", "server_encoding"];
  const columns = names.map((name) => `current_setting('${name}') as ${name}`).join();
  const facts = await ask(
    url,
    `select ${columns}, current_setting('server_version_num')::int / 10000 as major,
    datlocprovider as provider, datlocale as locale from pg_database where datname = current_database()`,
  );
  assert.deepEqual(
    { ...(facts as object) },
    {
      ...{ fsync: "on", full_page_writes: "on", synchronous_commit: "on", data_checksums: "on", jit: "off" },
      ...{ server_encoding: "UTF8", major: 18, provider: "b", locale: "C.UTF-8" },
    },
  );
});

test("startEmbeddedPostgres(): data stay from one start to the next, and only its own user may enter them", async (t) => {
  const s = setup(t);
  {
    await using first = await s.start();
    const url = await first.createDatabaseIfMissing("stored");
    await execute(url, "create table t as select 42 as answer");
    assert.equal(fs.statSync(join(first.place, "postgres")).mode & 0o777, 0o700);
    assert.equal(fs.statSync(join(first.place, "postgres-socket")).mode & 0o777, 0o700);
    assert.equal(fs.statSync(join(first.place, "postgres-password")).mode & 0o777, 0o600);
  }
  const start = performance.now();
  await using second = await s.start();
  const startMs = performance.now() - start;
  assert.deepEqual(
    { ...(await ask<object>(await second.createDatabaseIfMissing("stored"), "select answer from t")) },
    { answer: 42 },
  );
  assert.ok(startMs < 2_000, `a later start took ${startMs} ms`);
});

test("startEmbeddedPostgres(): a second owner is refused with 75, naming the first, and the first goes on [P6]", async (t) => {
  const s = setup(t);
  await using first = await s.start();
  const start = performance.now();
  await assert.rejects(s.start(), { exitCode: 75, message: new RegExp(`process ${process.pid} `) });
  assert.ok(performance.now() - start < 1_000);
  await execute(first.url, "select 1");
});

/** A process that owns a server, writes with four clients, and prints each number after its acknowledgement. */
function spawnWriters(dataDirectory: string): ChildProcess & { readonly stdout: NodeJS.ReadableStream } {
  const config = `{ dataDirectory: ${JSON.stringify(dataDirectory)}, checkoutDirectory: ${JSON.stringify(CHECKOUT)}, report() {} }`;
  const code = `const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULES[0])});
    const { openDatabase } = await import(${JSON.stringify(MODULES[1])});
    const { writeSync } = await import("node:fs");
    const server = await startEmbeddedPostgres(${config});
    const url = await server.createDatabaseIfMissing("stored");
    const limits = { maxConnections: 4, statementTimeoutMs: 5000, connectTimeoutMs: 5000, applicationName: "test" };
    const database = openDatabase({ url, ...limits }, () => {});
    await database.query({ text: "create table if not exists t (id bigint primary key)", values: [] });
    const [row] = (await database.query({ text: "select coalesce(max(id), 0) as n from t", values: [] })).rows;
    let next = row.n + 1000;
    writeSync(1, "pid " + server.pid + "\\n");
    for (let writer = 0; writer < 4; writer++) (async () => {
      for (;;) {
        const id = next++;
        await database.query({ text: "insert into t values ($1)", values: [id] });
        writeSync(1, id + "\\n");
      }
    })();`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
}

async function runWritersAndKill(
  dataDirectory: string,
  beforeKill: (owner: ChildProcess) => void,
): Promise<{ readonly acknowledged: number[]; readonly postmaster: number }> {
  const owner = spawnWriters(dataDirectory);
  let output = "";
  owner.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await until(() => output.split("\n").length > 300, 15_000);
  const closed = once(owner, "close");
  beforeKill(owner);
  owner.kill("SIGKILL");
  await closed;
  const [first = "", ...numbers] = output.trimEnd().split("\n");
  return { postmaster: Number(first.slice("pid ".length)), acknowledged: numbers.map(Number) };
}

async function assertAllStored(s: Setup, acknowledged: readonly number[]): Promise<void> {
  await using server = await s.start();
  const url = await server.createDatabaseIfMissing("stored");
  const { ids } = await ask<{ ids: number[] }>(url, "select array_agg(id::int) as ids from t");
  const stored = new Set(ids);
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  );
}

test("kill -9 of the owner under writers: the server ends by itself and every acknowledged row is there [F-16]", async (t) => {
  const s = setup(t);
  const all: number[] = [];
  for (const _round of [1, 2]) {
    const { acknowledged, postmaster } = await runWritersAndKill(s.dataDirectory, () => undefined);
    all.push(...acknowledged);
    await until(() => !isAlive(postmaster), 5_000);
  }
  await assertAllStored(s, all);
});

test("a server orphaned by its owner and its watcher is ended by the next start, and nothing is lost", {
  skip: NOT_LINUX,
}, async (t) => {
  const s = setup(t);
  const { acknowledged, postmaster } = await runWritersAndKill(s.dataDirectory, (owner) => {
    const children = fs.readFileSync(`/proc/${owner.pid}/task/${owner.pid}/children`, "utf8").trim().split(" ");
    const watcher = children.find((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("kill -INT"));
    assert.ok(watcher !== undefined);
    process.kill(Number(watcher), "SIGKILL");
  });
  assert.ok(isAlive(postmaster));
  await assertAllStored(s, acknowledged);
  assert.ok(!isAlive(postmaster));
  assert.match(s.reports.join("\n"), /Waiting for the database server of an earlier process/);
});

test("a pid file that names a living process of somebody else does not hinder the start", {
  skip: NOT_LINUX,
}, async (t) => {
  const s = setup(t);
  await (await s.start())[Symbol.asyncDispose]();
  const owner = fs.statSync(join(s.dataDirectory, "postgres"));
  const other = spawn("sleep", ["60"], { uid: owner.uid, gid: owner.gid, cwd: "/" });
  t.after(() => other.kill());
  const pidFile = join(s.dataDirectory, "postgres/postmaster.pid");
  fs.writeFileSync(pidFile, `${other.pid}\n${s.dataDirectory}/postgres\n1\n5432\n\n\n\n`);
  fs.chownSync(pidFile, owner.uid, owner.gid);
  await using server = await s.start();
  await execute(server.url, "select 1");
});

test("a server that dies is started again, and connections work again within 5 s [F-17]", async (t) => {
  const s = setup(t);
  await using server = await s.start();
  const first = server.pid;
  process.kill(first, "SIGKILL");
  await until(() => server.pid !== first, 5_000);
  await execute(server.url, "select 1");
  assert.match(s.reports.join("\n"), /ended by SIGKILL; starting it again\.\n(.*\n)?.*answers again/);
});

test("a server that hangs is started again [F-17]", { skip: NOT_LINUX }, async (t) => {
  const s = setup(t);
  await using server = await s.start({ silenceLimitSeconds: 2 });
  const first = server.pid;
  process.kill(first, "SIGSTOP");
  await until(() => server.pid !== first, 20_000);
  await execute(server.url, "select 1");
  assert.match(s.reports.join("\n"), /gave no answer for 2 s/);
});

const DAMAGES: Readonly<Record<string, (cluster: string) => void>> = {
  "without PG_VERSION": (cluster) => fs.rmSync(join(cluster, "PG_VERSION")),
  "with an empty control file": (cluster) => fs.truncateSync(join(cluster, "global/pg_control")),
  "with a flipped byte in the control file": (cluster) => flipByte(join(cluster, "global/pg_control"), 40),
  "with a truncated log of changes": (cluster) => {
    const wal = fs.readdirSync(join(cluster, "pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const name of wal) fs.truncateSync(join(cluster, "pg_wal", name), 100);
  },
  "of another PostgreSQL": (cluster) => fs.writeFileSync(join(cluster, "PG_VERSION"), "17\n"),
};

function flipByte(file: string, offset: number): void {
  const bytes = fs.readFileSync(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  fs.writeFileSync(file, bytes);
}

test("damaged data are refused with 78 and the directory's name; nothing is deleted or recreated [F-15]", async (t) => {
  const s = setup(t);
  await (await s.start())[Symbol.asyncDispose]();
  const cluster = join(s.dataDirectory, "postgres");
  const good = join(s.dataDirectory, "good");
  fs.renameSync(cluster, good);
  for (const [what, damage] of Object.entries(DAMAGES)) {
    spawnSync("cp", ["-a", good, cluster]);
    damage(cluster);
    const before = fs.readdirSync(cluster, { recursive: true }).length;
    await assert.rejects(s.start(), (error: Error & { exitCode: number }) => {
      assert.equal(error.exitCode, 78, what);
      assert.ok(error.message.startsWith("DS_DATA_DIR: ") && error.message.includes(cluster), error.message);
      return true;
    });
    assert.ok(fs.readdirSync(cluster, { recursive: true }).length >= before - 1, what);
    fs.rmSync(cluster, { recursive: true });
  }
  spawnSync("cp", ["-a", good, cluster]);
  await using server = await s.start();
  await execute(server.url, "select 1");
});

test("a first start that was killed leaves nothing half-made: the next start is a first start", async (t) => {
  const s = setup(t);
  const unfinished = join(s.dataDirectory, "postgres.new-123456");
  fs.mkdirSync(unfinished);
  fs.writeFileSync(join(unfinished, "PG_VERSION"), "18\n");
  await using server = await s.start();
  await execute(server.url, "select 1");
  assert.ok(!fs.existsSync(unfinished));
});

test("a path too long for a socket: a password on loopback, stored in a 0600 file [P4]", async (t) => {
  const s = setup(t, "x".repeat(100));
  await using server = await s.start();
  const url = new URL(server.url);
  assert.equal(url.hostname, "127.0.0.1");
  await execute(server.url, "select 1");
  url.password = "wrong";
  await assert.rejects(execute(url.href, "select 1"), { code: "28P01" });
});

test("as root below a closed directory: data and programs go where the server's user can reach them [P4]", {
  skip: NOT_ROOT,
}, async (t) => {
  const s = setup(t, "checkout/.dataspace");
  fs.chmodSync(join(s.dataDirectory, "../.."), 0o700);
  const checkoutDirectory = join(s.dataDirectory, "..");
  const start = () => startEmbeddedPostgres({ ...s, checkoutDirectory, report: (line) => s.reports.push(line) });
  let place = "";
  {
    await using first = await start();
    place = first.place;
    await execute(first.url, "create table t as select 42 as answer");
  }
  t.after(() => fs.rmSync(place, { recursive: true, force: true }));
  assert.notEqual(place, s.dataDirectory);
  assert.match(s.reports.join("\n"), new RegExp(`The data are in ${place}, because`));
  assert.equal(fs.statSync(place).uid, 0);
  assert.equal(fs.statSync(place).mode & 0o027, 0);
  fs.chmodSync(join(s.dataDirectory, "../.."), 0o755); // now within reach: the data must still be found where they are
  {
    await using second = await start();
    assert.equal(second.place, place);
    await execute(second.url, "select answer from t");
  }
  fs.rmSync(place, { recursive: true });
  await assert.rejects(start(), { exitCode: 78, message: /were stored in .* and are no longer there/ });
});

test("as an ordinary user it runs as that user", { skip: NOT_ROOT }, async (t) => {
  const s = setup(t);
  const user = { uid: 65534, gid: 65534 };
  if (spawnSync(process.execPath, ["-v"], { ...user, cwd: "/" }).status !== 0)
    return t.skip("that user cannot run Node here");
  fs.chownSync(s.dataDirectory, user.uid, user.gid);
  const config = JSON.stringify({ dataDirectory: s.dataDirectory, checkoutDirectory: s.dataDirectory });
  const code = `const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULES[0])});
    const server = await startEmbeddedPostgres({ ...${config}, report: console.log });
    console.log("at " + server.place); await server[Symbol.asyncDispose]();`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", code], { ...user, cwd: "/", encoding: "utf8" });
  assert.equal(run.stdout, `at ${s.dataDirectory}\n`, run.stderr);
  assert.equal(run.status, 0);
  assert.equal(fs.statSync(join(s.dataDirectory, "postgres")).uid, user.uid);
});

test("a disk with less than 64 MB free is refused with 78, naming the directory", { skip: NOT_ROOT }, async (t) => {
  const s = setup(t);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=60m,mode=700", "tmpfs", s.dataDirectory]).status !== 0) {
    return t.skip("no tmpfs may be mounted here");
  }
  try {
    await assert.rejects(s.start(), { exitCode: 78, message: /^DS_DATA_DIR: only \d+ MB are free at / });
  } finally {
    spawnSync("umount", [s.dataDirectory]);
  }
});
