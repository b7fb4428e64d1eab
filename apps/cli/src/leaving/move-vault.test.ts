import assert from "node:assert/strict";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseEName } from "@dataspace/protocol/ename";
import { type Move, moveVault, undoMove } from "./move-vault.ts";
import type { OwnerCalls } from "./owner-calls.ts";

const owner = parseEName("5ecf7860-1190-592e-925a-b2c6e0f95ff0");
const FROM = "https://old.example";
const TO = "https://new.example";

/** A move whose registry names an address, and which notes what is asked of the vaults; `refuse` makes a request fail. */
async function prepare(at: string, refuse: (what: string) => boolean = () => false) {
  const directory = await mkdtemp(join(tmpdir(), "move-"));
  const file = join(directory, "archive.gz");
  await writeFile(file, "an archive");
  await writeFile(`${file}.move`, JSON.stringify({ from: FROM, moveId: null }));
  const asked: string[] = [];
  const call = async (base: string, what: string) => {
    asked.push(`${what} at ${base}`);
    if (refuse(what))
      throw new UpstreamError("refused", what, { refusal: { status: 409, code: "MOVE_CONFLICT", body: {} } });
    return {};
  };
  const deps = {
    fetch: async () => Response.json({ kind: "vault", ename: owner, uri: at, vault: "@v" }),
    calls: { call } as unknown as OwnerCalls,
    onStep: () => undefined,
  };
  const move: Move = {
    owner,
    to: `${TO}/`,
    registryUrl: "https://r.example",
    file,
    keepsFile: false,
    code: undefined,
    json: true,
  };
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  return { deps, move, asked, file, isThere, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
}

test("undo asks the old place first, and discards the import only after its answer (decision V18) [V-DEC-688]", async () => {
  await using undone = await prepare(FROM);
  await undoMove(undone.deps, undone.move);
  assert.deepEqual(undone.asked, [`DELETE /move at ${FROM}`, `DELETE /import at ${TO}`]);
  await using refused = await prepare(FROM, (what) => what === "DELETE /move");
  await assert.rejects(undoMove(refused.deps, refused.move), { code: "refused" });
  assert.deepEqual(refused.asked, [`DELETE /move at ${FROM}`]);
});

test("a finished move leaves no archive behind, unless the owner named its file", async () => {
  await using moved = await prepare(TO);
  const { json } = await moveVault(moved.deps, moved.move);
  assert.deepEqual(moved.asked, [`POST /import/activate at ${TO}`, `POST /move/finish at ${FROM}`]);
  assert.deepEqual([await moved.isThere(moved.file), await moved.isThere(`${moved.file}.move`)], [false, false]);
  assert.equal((json as { archive: unknown }).archive, null);
  await using named = await prepare(TO);
  const outcome = await moveVault(named.deps, { ...named.move, keepsFile: true });
  assert.equal(await named.isThere(named.file), true);
  assert.ok(outcome.lines.some((line) => line.includes(named.file)));
});

test("a move to anything but a base address begins nothing", async () => {
  await using space = await prepare(FROM);
  for (const to of ["new.example", "https://a:b@new.example", "https://new.example/?a", "ftp://new.example"])
    await assert.rejects(moveVault(space.deps, { ...space.move, to }), /is not an http or https address/);
  assert.deepEqual(space.asked, []);
});
