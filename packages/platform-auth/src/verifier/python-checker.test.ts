import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { LINK_IDS } from "../link-entry.ts";

const vectors = path.join(import.meta.dirname, "../../../../vectors");
const hasPython = spawnSync("python3", ["-c", "pow(3, -1, 7)"]).status === 0;

function check(file: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const script = path.join(vectors, "check_handshake.py");
  const { status, stdout } = spawnSync("python3", [script, file], { encoding: "utf8" });
  return { status, lines: stdout.trim().split("\n") };
}

test("a verifier in Python, with its standard library alone, agrees on the published handshake and refuses a changed one [P-CAN-005] [P-RES-051]", {
  skip: hasPython ? false : "python3 is not installed",
}, async () => {
  const file = path.join(vectors, "handshake.json");
  const agreed = check(file);
  assert.deepEqual(
    agreed.lines.slice(0, 6),
    LINK_IDS.map((id) => `${id}: ok`),
  );
  assert.equal(agreed.status, 0);
  const text = await readFile(file, "utf8");
  const folder = await mkdtemp(path.join(tmpdir(), "handshake-"));
  try {
    const changed = path.join(folder, "handshake.json");
    await writeFile(changed, text.replace("T__WGQ", "T__WGR"));
    assert.deepEqual([check(changed).status, check(changed).lines[0]], [1, "possession: FAILS"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
