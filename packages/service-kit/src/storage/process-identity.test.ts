import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startUnreaped } from "../testing/unreaped-process.ts";
import { askPs, identifyProcess, stateOf } from "./process-identity.ts";

test("a process is itself by number and start: another start under the same number is another process", async () => {
  const self = identifyProcess(process.pid);
  assert.ok(self !== undefined);
  assert.equal(stateOf(self), "running");
  assert.equal(stateOf({ pid: process.pid, start: "an earlier start" }), "gone");
});

test("without /proc, ps tells a running process by its start, a zombie as ended, and one that is gone", async () => {
  await using unreaped = await startUnreaped();
  const running = askPs(unreaped.pid);
  assert.equal(running?.hasEnded, false);
  assert.match(running?.start ?? "", /\d\d:\d\d:\d\d \d{4}$/);
  process.kill(unreaped.pid, "SIGKILL");
  while (identifyProcess(unreaped.pid) !== undefined) await sleep(5);
  assert.equal(askPs(unreaped.pid)?.hasEnded, true);
  assert.equal(askPs(2 ** 22 - 1), undefined);
});

test("a process that ended is gone, and its number identifies nobody", async () => {
  const child = spawn("sleep", ["60"]);
  const identity = identifyProcess(child.pid ?? 0);
  assert.ok(identity !== undefined);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  assert.equal(stateOf(identity), "gone");
  assert.equal(identifyProcess(identity.pid), undefined);
});

test("a zombie, which its parent does not reap, does not run", async () => {
  await using unreaped = await startUnreaped();
  const identity = identifyProcess(unreaped.pid);
  assert.ok(identity !== undefined && stateOf(identity) === "running");
  process.kill(identity.pid, "SIGKILL");
  while (stateOf(identity) === "running") await sleep(5);
  assert.equal(stateOf(identity), "zombie");
  assert.equal(identifyProcess(identity.pid), undefined);
  assert.ok(process.kill(identity.pid, 0), "to the system its number is still taken");
});
