import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";

const repository = path.dirname(import.meta.dirname);

/** The launcher in a project without dependencies, so that its `npm ci` needs no network. */
function setupProject(t: TestContext, task: string): string {
  const root = mkdtempSync(path.join(tmpdir(), "launcher-"));
  t.after(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  cpSync(path.join(repository, "scripts"), path.join(root, "scripts"), { recursive: true });
  mkdirSync(path.join(root, "tools/node"), { recursive: true });
  cpSync(path.join(repository, "tools/node/package.json"), path.join(root, "tools/node/package.json"));
  const manifest = { name: "x", version: "1.0.0" };
  writeFileSync(path.join(root, "package.json"), JSON.stringify({ ...manifest, type: "module" }));
  writeFileSync(
    path.join(root, "package-lock.json"),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages: { "": manifest } }),
  );
  writeFileSync(path.join(root, "task.ts"), task);
  return root;
}

function launch(root: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, ["scripts/go.mjs", "task.ts", "one", "two"], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function finish(
  child: ChildProcess,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (text) => {
    out += text;
  });
  child.stderr?.on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

test("launcher: installs once, passes arguments and the exit code on, and leaves no lock behind", async (t) => {
  const root = setupProject(t, "console.log(process.argv.slice(2).join()); process.exitCode = 7;");
  const first = await finish(launch(root));
  assert.deepEqual([first.code, first.out], [7, "one,two\n"], first.err);
  assert.match(first.err, /first run/);
  const second = await finish(launch(root));
  assert.deepEqual([second.code, second.err], [7, ""]);
  assert.equal(existsSync(path.join(root, ".installing")), false);
});

test("launcher: of two concurrent starts in a fresh clone one installs and both run", async (t) => {
  const root = setupProject(t, "console.log('ran');");
  const both = await Promise.all([finish(launch(root)), finish(launch(root))]);
  assert.deepEqual(
    both.map(({ code, out }) => `${code} ${out}`),
    ["0 ran\n", "0 ran\n"],
  );
  assert.equal(both.filter(({ err }) => err.includes("installed the libraries")).length, 1);
});

test("launcher: the lock of a killed installer is replaced", async (t) => {
  const root = setupProject(t, "console.log('ran');");
  const dead = spawn(process.execPath, ["-e", ""]);
  await once(dead, "close");
  mkdirSync(path.join(root, ".installing"));
  writeFileSync(path.join(root, ".installing/pids"), `${dead.pid}`);
  const { code, err } = await finish(launch(root));
  assert.equal(code, 0, err);
  assert.match(err, /another command is installing/);
});

test("launcher: an install that npm refuses ends with one message and exit code 1", async (t) => {
  const root = setupProject(t, "console.log('ran');");
  // A dependency that the lock file lacks.
  const manifest = { name: "x", version: "1.0.0", dependencies: { absent: "1.0.0" } };
  writeFileSync(path.join(root, "package.json"), JSON.stringify(manifest));
  const { code, out, err } = await finish(launch(root));
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /npm could not install the libraries \(.+\)\. Check the network/);
});

test("launcher: SIGTERM reaches the task, and its answer is the launcher's", async (t) => {
  const root = setupProject(
    t,
    "process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(() => {}, 1000);",
  );
  const child = launch(root);
  child.stdout?.once("data", () => child.kill("SIGTERM"));
  assert.equal((await finish(child)).code, 9);
});

test("launcher: the task ends when the npm that started it is killed", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = setupProject(
    t,
    "process.on('SIGTERM', () => process.exit()); console.log(process.pid); setInterval(() => {}, 1000);",
  );
  // A stand-in for npm: a parent that runs the launcher and is then killed without warning.
  const parent = spawn(
    process.execPath,
    ["-e", `require("child_process").spawn(process.execPath, ["scripts/go.mjs", "task.ts"], { stdio: "inherit" })`],
    { cwd: root, env: { ...process.env, npm_lifecycle_event: "start" }, stdio: ["ignore", "pipe", "ignore"] },
  );
  const [pid] = await once(parent.stdout ?? parent, "data", { signal: AbortSignal.timeout(15_000) });
  assert.ok(process.kill(Number(pid), 0));
  parent.kill("SIGKILL");
  // `close` waits for the pipe that the task holds, so it comes only after the task has ended.
  await once(parent, "close", { signal: AbortSignal.timeout(15_000) });
});

test("launcher: on Node 18 it says in one sentence what to install, and installs nothing", async (t) => {
  const root = setupProject(t, "console.log('ran');");
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` };
  const { code, out, err } = await finish(launch(root, env));
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^dataspace: this is Node 18\.20\.8; Dataspace needs Node 20 or newer\. Install [^\n]+\n$/);
  assert.equal(existsSync(path.join(root, "node_modules")), false);
});
