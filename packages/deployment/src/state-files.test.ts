import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createDeployment, type NewDeployment } from "./create-deployment.ts";
import { createDeploymentState } from "./deployment-state.ts";
import { parseRelease } from "./release.ts";
import { openStateFiles } from "./state-files.ts";

const RELEASE = {
  platformEName: "@11111111-2222-4333-8444-555555555555",
  platformName: "Postcards",
  repositoryId: 7,
  repository: "https://git.example/postcards",
  releaseTag: "v1.0.0",
  version: "1.0.0",
  commitSha: "a".repeat(40),
  domains: ["social"],
};

function inputOf(): NewDeployment {
  const urls = { registryUrl: "http://127.0.0.1:1", authorityUrl: "http://127.0.0.1:2" };
  return { release: parseRelease(RELEASE), deploymentName: "eu-1", environment: "test", ...urls };
}

async function inDirectory(act: (directory: string) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "deployment-state-"));
  try {
    await act(join(home, "state"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

test("a directory is its user's alone, a damaged file is named, and 50 writes at once leave one whole file", () =>
  inDirectory(async (directory) => {
    const files = openStateFiles(directory);
    await Promise.all(
      Array.from({ length: 50 }, (_, number) => files.write("a.json", { number, pad: "x".repeat(5_000) })),
    );
    assert.equal((await files.read<{ pad: string }>("a.json"))?.pad.length, 5_000);
    assert.deepEqual(await readdir(directory), ["a.json"]);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(join(directory, "a.json"))).mode & 0o777, 0o600);
    await writeFile(join(directory, "a.json"), '{"number": 1');
    await assert.rejects(files.read("a.json"), { code: "STATE_DAMAGED", message: /a\.json is not JSON/ });
  }));

test("a directory that was there keeps its mode, and a write that fails leaves no file behind", () =>
  inDirectory(async (directory) => {
    await mkdir(directory, { mode: 0o755 });
    await chmod(directory, 0o755);
    const files = openStateFiles(directory);
    await files.write("a.json", 1);
    assert.equal((await stat(directory)).mode & 0o777, 0o755);
    await mkdir(join(directory, "b.json"));
    await assert.rejects(files.write("b.json", 1));
    assert.deepEqual((await readdir(directory)).sort(), ["a.json", "b.json"]);
  }));

test("a key is never replaced: not by a second create-key, nor after an end between key and settings", () =>
  inDirectory(async (directory) => {
    const state = createDeploymentState(openStateFiles(directory));
    await assert.rejects(state.get("settings"), { code: "STEP_MISSING", message: /deployment create-key/ });
    const { publicKey } = await createDeployment(state, inputOf());
    await assert.rejects(createDeployment(state, inputOf()), { code: "ALREADY_THERE" });
    await rm(join(directory, "deployment.json"));
    assert.equal((await createDeployment(state, inputOf())).publicKey, publicKey);
  }));

test("a release with a member that is missing, unknown or malformed is refused by name", () => {
  const { version: _version, ...unversioned } = RELEASE;
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [unversioned, /version is missing/],
    [{ ...RELEASE, note: 1 }, /note/],
    [{ ...RELEASE, domains: ["social", "social"] }, /domains/],
    [{ ...RELEASE, platformEName: "x" }, /platformEName/],
    [{ ...RELEASE, deployers: [7] }, /deployers/],
    [null, /object/],
  ];
  for (const [value, message] of cases) assert.throws(() => parseRelease(value), { code: "INVALID_RELEASE", message });
});
