import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

const IMPORTS = `
  const { runService } = await import(${JSON.stringify(new URL("./run-service.ts", import.meta.url).href)});
  const { StartupError } = await import(${JSON.stringify(new URL("../startup-error.ts", import.meta.url).href)});
  const say = (text) => process.stdout.write(text + "\\n");
  const onError = (error) => say("logged: " + error.message);
`;

interface Run {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly status: number | null }>;
}

function run(code: string): Run {
  const child = spawn(process.execPath, ["--input-type=module", "-e", IMPORTS + code]);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([status]) => ({ status: status as number | null }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`runService(): ${signal} stops what was started and exits with 0 [P6]`, async () => {
    const service = run(`await runService(async () => {
      say("up");
      return { [Symbol.asyncDispose]: async () => { await new Promise((r) => setTimeout(r, 50)); say("down"); } };
    }, { onError });`);
    await until(() => service.stdout().includes("up"));
    service.child.kill(signal);
    assert.equal((await service.ended).status, 0);
    assert.equal(service.stdout(), "up\ndown\n");
  });
}

test("runService(): a second signal exits with 1 at once", async () => {
  const service = run(`await runService(async () => {
    say("up");
    return { [Symbol.asyncDispose]: () => { say("stopping"); return new Promise(() => {}); } };
  }, { onError });`);
  await until(() => service.stdout().includes("up"));
  service.child.kill("SIGTERM");
  await until(() => service.stdout().includes("stopping"));
  service.child.kill("SIGTERM");
  assert.equal((await service.ended).status, 1);
});

test("runService(): a signal during the start ends the waiting and exits with 0", async () => {
  const service = run(`await runService((abort) => {
    say("waiting");
    return new Promise((_, reject) => abort.addEventListener("abort", () => reject(abort.reason)));
  }, { onError });`);
  await until(() => service.stdout().includes("waiting"));
  service.child.kill("SIGTERM");
  assert.equal((await service.ended).status, 0);
  assert.equal(service.stderr(), "");
});

for (const exitCode of [78, 75]) {
  test(`runService(): a fault in a setting is its message alone on stderr and exit ${exitCode} [P6]`, async () => {
    const service = run(
      `await runService(async () => { throw new StartupError("DS_X: wrong", ${exitCode}); }, { onError });`,
    );
    assert.equal((await service.ended).status, exitCode);
    assert.equal(service.stderr(), "DS_X: wrong\n");
    assert.equal(service.stdout(), "");
  });
}

const FAULTS = {
  "an exception that nobody caught": `setTimeout(() => { throw new Error("boom"); });`,
  "a rejection that nobody handled": `Promise.reject(new Error("boom"));`,
} as const;

for (const [what, code] of Object.entries(FAULTS)) {
  test(`runService(): ${what} is logged once and exits with 70`, async () => {
    const service = run(
      `await runService(async () => { ${code} return { [Symbol.asyncDispose]: async () => {} }; }, { onError });`,
    );
    assert.equal((await service.ended).status, 70);
    assert.equal(service.stdout(), "logged: boom\n");
  });
}

test("runService(): a fault while starting or stopping is logged and exits with 70", async () => {
  const starting = run(`await runService(async () => { throw new Error("no start"); }, { onError });`);
  assert.equal((await starting.ended).status, 70);
  assert.equal(starting.stdout(), "logged: no start\n");
  const stopping = run(`await runService(async () => {
    setTimeout(() => process.kill(process.pid, "SIGTERM"), 20);
    return { [Symbol.asyncDispose]: async () => { throw new Error("no stop"); } };
  }, { onError });`);
  assert.equal((await stopping.ended).status, 70);
  assert.equal(stopping.stdout(), "logged: no stop\n");
});
