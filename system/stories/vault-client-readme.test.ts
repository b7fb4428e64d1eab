import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const HOME = path.join(import.meta.dirname, "../../packages/vault-client");
const README = await readFile(path.join(HOME, "README.md"), "utf8");

function blockOf(name: string): string {
  const block = README.split("```").find((part) => part.startsWith(`ts ${name}\n`));
  return block?.slice(`ts ${name}\n`.length) ?? assert.fail(`the README has no block "${name}"`);
}

/** Runs one program of the README where a reader would have it: beside a node_modules. Out: what it printed. */
async function run(name: string, args: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "vault-client-example-"));
  try {
    await symlink(path.join(HOME, "../../node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
    await writeFile(path.join(folder, "example.ts"), blockOf(name));
    return (await promisify(execFile)(process.execPath, [path.join(folder, "example.ts"), ...args])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the README's first program has at most ten lines, and writes and lists a record in the development stack", async () => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, undefined);
  const printed = await run("start", [owner, space.registryUrl]);
  const [, id] = /^written (\S+)\n/.exec(printed) ?? assert.fail(printed);
  assert.equal(printed, `written ${id}\n${id} { text: 'Hello, vault.' }\n`);
  assert.ok(blockOf("start").trim().split("\n").length <= 10);
});

test("the README's program with a wallet makes an owner, and writes, changes and restores a record by signed tokens", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const printed = await run("wallet", [space.registryUrl, space.vaultUrl]);
  const versions = ["3 update { text: 'draft' }", "2 update { text: 'final' }", "1 create { text: 'draft' }"];
  assert.equal(printed, `${versions.join("\n")}\n`);
});

test("the README's program with retries prints what the README says", async () => {
  await using space = await startTestSpace();
  const printed = await run("retry", [await createOwner(space, undefined), space.registryUrl]);
  assert.equal(printed, "IDEMPOTENCY_MISMATCH 422 false\n");
  assert.ok(README.includes(`\`${printed.trim()}\``));
});
