import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startUnreaped } from "../testing/unreaped-process.ts";
import { openDataDirectory } from "./data-directory.ts";

const MODULE = JSON.stringify(new URL("./data-directory.ts", import.meta.url).href);

function setupParent(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), "dataspace-directory-"));
  t.after(() => rmSync(parent, { recursive: true }));
  return parent;
}

function holdingCode(directory: string): string {
  return `const { openDataDirectory } = await import(${MODULE});
    await openDataDirectory(${JSON.stringify(directory)}, { report() {} });
    process.stdout.write("held"); setInterval(() => {}, 1000);`;
}

/** Another process that holds the directory until it is killed. */
async function holdElsewhere(directory: string): Promise<ChildProcess> {
  const parameters = ["--input-type=module", "-e", holdingCode(directory)];
  const holder = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  return holder;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

test("openDataDirectory(): makes the directory with mode 0700 and frees it on dispose [P4]", async (t) => {
  const path = join(setupParent(t), "a/b");
  for (const _round of [1, 2]) {
    await using directory = await openDataDirectory(path, { report: assert.fail });
    assert.ok(directory.path.endsWith("/a/b"));
    assert.equal(statSync(path).mode & 0o777, 0o700);
  }
  assert.deepEqual(readdirSync(path), ["lock.sqlite"]);
  assert.equal(statSync(join(path, "lock.sqlite")).mode & 0o777, 0o600);
});

test("openDataDirectory(): a second owner is refused with 75 within 1 s, naming the holder's pid [P6]", async (t) => {
  const path = join(setupParent(t), "data");
  const holder = await holdElsewhere(path);
  t.after(() => kill(holder));
  const start = performance.now();
  await assert.rejects(openDataDirectory(path, { report: assert.fail }), (error: Error & { exitCode: number }) => {
    assert.equal(error.exitCode, 75);
    assert.match(error.message, new RegExp(`process ${holder.pid} \\(started 2`));
    assert.ok(error.message.includes(path));
    return true;
  });
  assert.ok(performance.now() - start < 1000);
});

test("openDataDirectory(): a second owner in the same process is refused too", async (t) => {
  const path = join(setupParent(t), "data");
  await using _first = await openDataDirectory(path, { report: assert.fail });
  await assert.rejects(openDataDirectory(path, { report: assert.fail }), { exitCode: 75 });
  await assert.rejects(openDataDirectory(path, { report: assert.fail }), { exitCode: 75 });
});

test("openDataDirectory(): after a kill -9 of the holder the next owner takes it over [P4]", async (t) => {
  const path = join(setupParent(t), "data");
  await kill(await holdElsewhere(path));
  await using directory = await openDataDirectory(path, { report: assert.fail });
  assert.equal(directory.path.endsWith("/data"), true);
});

test("openDataDirectory(): a killed holder that stays a zombie does not keep the directory [P4]", async (t) => {
  const path = join(setupParent(t), "data");
  await using holder = await startUnreaped({}, [process.execPath, "--input-type=module", "-e", holdingCode(path)]);
  while (!existsSync(join(path, "lock.holder.json"))) await sleep(10);
  process.kill(holder.pid, "SIGKILL");
  await using directory = await openDataDirectory(path, { report: assert.fail });
  assert.ok(directory.path);
  assert.ok(process.kill(holder.pid, 0), "it is still a zombie");
});

test("openDataDirectory(): a holder's record without a lock, even of a living pid, hinders nobody", async (t) => {
  const path = join(setupParent(t), "data");
  await (await openDataDirectory(path, { report: assert.fail }))[Symbol.asyncDispose]();
  writeFileSync(join(path, "lock.holder.json"), JSON.stringify({ pid: process.pid, startedAt: "2001-01-01" }));
  await using directory = await openDataDirectory(path, { report: assert.fail });
  assert.ok(directory.path);
});

test("openDataDirectory(): what cannot be a private directory is refused with 78, naming DS_DATA_DIR", async (t) => {
  const parent = setupParent(t);
  const file = join(parent, "file");
  writeFileSync(file, "");
  await assert.rejects(openDataDirectory(file, { report: assert.fail }), { exitCode: 78, message: /^DS_DATA_DIR: / });
  await assert.rejects(openDataDirectory(join(file, "x"), { report: assert.fail }), { exitCode: 78 });
  chmodSync(parent, 0o777);
  await assert.rejects(openDataDirectory(parent, { report: assert.fail }), { message: /every user may write/ });
  chmodSync(parent, 0o755);
  const reports: string[] = [];
  await using _open = await openDataDirectory(parent, { report: (line) => reports.push(line) });
  assert.match(reports.join(), /chmod 700/);
});
