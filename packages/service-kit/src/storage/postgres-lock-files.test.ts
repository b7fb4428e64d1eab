import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runOneStatement } from "../postgres/one-statement.ts";
import { startUnreaped } from "../testing/unreaped-process.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { recordServerProcess, removeStaleLockFiles } from "./postgres-lock-files.ts";
import { identifyProcess } from "./process-identity.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));

/** A data directory of a stopped server, with the lock files that a killed server with a given pid leaves. */
async function setup(t: TestContext) {
  const dataDirectory = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "dataspace-lock-files-")));
  fs.chmodSync(dataDirectory, 0o711);
  t.after(() => fs.rmSync(dataDirectory, { recursive: true, force: true }));
  const start = () => startEmbeddedPostgres({ dataDirectory, checkoutDirectory: CHECKOUT, report() {} });
  await (await start())[Symbol.asyncDispose]();
  const cluster = join(dataDirectory, "postgres");
  const owner = fs.statSync(cluster);
  const user = { uid: owner.uid, gid: owner.gid };
  const socket = join(dataDirectory, "postgres-socket/.s.PGSQL.5432");
  const files = [join(cluster, "postmaster.pid"), `${socket}.lock`];
  const writeFiles = (pid: number, which: readonly string[] = files) => {
    for (const file of which) {
      fs.writeFileSync(file, `${pid}\n${cluster}\n1\n5432\n${dataDirectory}/postgres-socket\n\n`);
      fs.chownSync(file, user.uid, user.gid);
    }
  };
  return { cluster, socket, files, start, user, writeFiles };
}

type Setup = Awaited<ReturnType<typeof setup>>;

async function assertStarts({ start }: Setup): Promise<void> {
  await using server = await start();
  assert.equal(
    (await runOneStatement({ url: server.url, timeoutMs: 5_000 }, { text: "select 1", values: [] })).length,
    1,
  );
}

async function assertRefused({ cluster, files, start }: Setup): Promise<void> {
  const before = files.map((file) => fs.readFileSync(file, "utf8"));
  await assert.rejects(start(), { exitCode: 75, message: /is still in use by process \d+/ });
  await assert.rejects(removeStaleLockFiles(cluster), { exitCode: 75 });
  assert.deepEqual(
    before,
    files.map((file) => fs.readFileSync(file, "utf8")),
  );
}

test("lock files of a server that was killed and is still a zombie do not prevent the start [P4]", async (t) => {
  const s = await setup(t);
  await using server = await startUnreaped(s.user);
  const { pid } = server;
  recordServerProcess(s.cluster, pid);
  s.writeFiles(pid);
  process.kill(pid, "SIGKILL");
  while (identifyProcess(pid) !== undefined) await sleep(5);
  assert.ok(process.kill(pid, 0), "it is a zombie");
  await assertStarts(s);
});

for (const which of ["the data directory", "the socket"]) {
  test(`a lock file of ${which} whose number belongs to an unrelated live process does not prevent the start [P4]`, async (t) => {
    const s = await setup(t);
    await using other = await startUnreaped(s.user);
    s.writeFiles(other.pid, [s.files[which === "the socket" ? 1 : 0] as string]);
    await assertStarts(s);
    assert.ok(identifyProcess(other.pid) !== undefined, "the unrelated process goes on");
  });
}

test("a live process under the recorded number that started at another time is not the server [P4]", async (t) => {
  const s = await setup(t);
  await using other = await startUnreaped(s.user);
  const record = join(s.cluster, "../postgres-process.json");
  fs.writeFileSync(record, JSON.stringify({ pid: other.pid, start: "an earlier start" }));
  s.writeFiles(other.pid);
  await assertStarts(s);
});

test("lock files of a process with the recorded number and start, which runs, are left alone: 75 [P4]", async (t) => {
  const s = await setup(t);
  await using holder = await startUnreaped(s.user);
  recordServerProcess(s.cluster, holder.pid);
  s.writeFiles(holder.pid);
  await assertRefused(s);
});

test("lock files beside a socket where a server answers are left alone, whatever number they have: 75 [P4]", async (t) => {
  const s = await setup(t);
  s.writeFiles(2 ** 22 - 1);
  const elsewhere = createServer().listen(s.socket);
  t.after(() => elsewhere.close());
  await assertRefused(s);
});

test("a socket that nobody answers at, and files cut short by a kill, do not prevent the start [P4]", async (t) => {
  const s = await setup(t);
  fs.writeFileSync(s.socket, "");
  for (const file of s.files) fs.writeFileSync(file, "");
  fs.writeFileSync(join(s.cluster, "../postgres-process.json"), "{");
  await assertStarts(s);
});
