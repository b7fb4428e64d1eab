import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { signatureCandidates } from "@dataspace/protocol/signature";

const HOME = path.join(import.meta.dirname, "..");
const README = await readFile(path.join(HOME, "README.md"), "utf8");

function blockOf(name: string): string {
  const block = README.split("```").find((part) => part.startsWith(`ts ${name}\n`));
  return block?.slice(`ts ${name}\n`.length) ?? assert.fail(`the README has no block "${name}"`);
}

/** Runs one program of the README, placed like a reader's: beside a node_modules. Out: its output. */
async function run(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "wallet-example-"));
  try {
    await symlink(path.join(HOME, "../../node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
    await writeFile(path.join(folder, "example.ts"), blockOf(name));
    return (await promisify(execFile)(process.execPath, [path.join(folder, "example.ts")])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the README's first program is example.ts, which a story runs against real services", async () => {
  assert.equal(blockOf("example"), await readFile(path.join(HOME, "example.ts"), "utf8"));
});

test("the README's custom key signs a session, base58btc", async () => {
  assert.equal(signatureCandidates((await run("own-key")).trim())[0]?.encoding, "base58btc");
});

test("the README's program signs a binding document, an access policy and a deployment", async () => {
  const printed = await run("sign");
  for (const words of ["ownerSignature", "ds:access-policy:v1:", "deployment_attestation_bundle"]) {
    assert.ok(printed.includes(words), words);
  }
});
