import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { systemClock } from "@dataspace/service-kit/clock";
import type { EName } from "@dataspace/protocol/ename";
import { openDirectoryBlobStore } from "../src/files/directory-blob-store.ts";
import { exportVault } from "../src/leaving/export-vault.ts";
import { importVault } from "../src/leaving/import-vault.ts";
import { verifyArchive } from "../src/leaving/verify-archive.ts";
import { askGraphQL } from "./support/ask.ts";
import { upload } from "./support/file-requests.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const partsOf = async (vault: TestVault) => ({
  database: vault.database,
  blobs: await openDirectoryBlobStore(vault.filesDirectory, "DS_FILES"),
  clock: systemClock,
});

async function exported(vault: TestVault, owner: EName): Promise<Buffer> {
  const parts: Buffer[] = [];
  assert.equal(await exportVault(await partsOf(vault), owner, async (part) => void parts.push(part)), true);
  return Buffer.concat(parts);
}

async function* bytes(archive: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < archive.length; at += 65_536) yield archive.subarray(at, at + 65_536);
}

const imported = async (vault: TestVault, archive: Uint8Array) =>
  importVault(await partsOf(vault), () => bytes(archive));

/** A vault with some of everything. */
async function fill(
  vault: TestVault,
): Promise<{ readonly owner: EName; readonly note: string; readonly file: string }> {
  const { ename: owner } = await createPerson(vault);
  const note = await create(vault, owner, { payload: { title: "first", n: 1, deep: { a: [1, null, "x"] } } });
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id: note,
    input: { ontology: "note", payload: { title: "second" } },
  });
  const gone = await create(vault, owner, { payload: { title: "gone" }, acl: ["*"] });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: gone });
  await create(vault, owner, { payload: { title: "shared" }, acl: [`@${randomUUID()}`] });
  const { metaEnvelopeId: file } = await upload(vault, owner, { content: randomBytes(300_000).toString("base64") });
  return { owner, note, file };
}

const answers = async (vault: TestVault, owner: EName, id: string) => [
  (await askGraphQL(vault, owner, DOCUMENTS.list, { first: 50 })).body.data,
  (await askGraphQL(vault, owner, DOCUMENTS.history, { id })).body.data.metaEnvelopeHistory.edges.map(
    (edge: { node: unknown }) => edge.node,
  ),
];

const withoutCursors = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (name, inner) => (/[cC]ursor$/.test(name) ? undefined : inner)));

test("an imported vault answers the same records, counts and history as the exported one, and its next export has the same digests [V-DEC-680] [V-DEC-681] [V-DEC-682]", async () => {
  await using from = await startVault();
  await using to = await startVault();
  const { owner, note } = await fill(from);
  const archive = await exported(from, owner);
  const verified = await verifyArchive(bytes(archive), { owner });
  assert.deepEqual([verified.manifest.kinds.record.count, verified.manifest.kinds.version.count], [4, 6]);
  assert.equal(verified.manifest.kinds.blob.count, 1);
  const { manifest } = await imported(to, archive);
  assert.equal(manifest.digest, verified.manifest.digest);
  assert.deepEqual(withoutCursors(await answers(to, owner, note)), withoutCursors(await answers(from, owner, note)));
  const again = await verifyArchive(bytes(await exported(to, owner)));
  assert.deepEqual(again.manifest.kinds, verified.manifest.kinds);
});

test("an archive that is truncated, altered, newer, another owner's, a bomb or malformed is refused by its code [V-DEC-691]", async () => {
  await using vault = await startVault();
  const { owner } = await fill(vault);
  const archive = await exported(vault, owner);
  const lines = gunzipSync(archive).toString().trimEnd().split("\n");
  const packed = (changed: readonly string[]) => gzipSync(`${changed.join("\n")}\n`);
  const changed = (from: string | RegExp, to: string) => packed(lines.map((line) => line.replace(from, to)));
  const flipped = Buffer.from(archive);
  flipped[Math.floor(archive.length / 2)]! ^= 1;
  const bomb = Buffer.concat([gzipSync(`${lines[0]}\n`), gzipSync(Buffer.alloc(40_000_000, "a"))]);
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ["empty", Buffer.alloc(0), "NOT_AN_ARCHIVE"],
    ["another file", randomBytes(1_000), "NOT_AN_ARCHIVE"],
    ["another gzip", gzipSync("hello\n"), "NOT_AN_ARCHIVE"],
    ["cut", archive.subarray(0, archive.length - 100), "ARCHIVE_TRUNCATED"],
    ["without its manifest", packed(lines.slice(0, -1)), "ARCHIVE_TRUNCATED"],
    ["flipped", flipped, "ARCHIVE_ALTERED"],
    ["with another title", changed("first", "other"), "ARCHIVE_INVALID"],
    ["with another time", changed(/"at":"2/, '"at":"1'), "ARCHIVE_ALTERED"],
    ["with a line less", packed(lines.filter((_, index) => index !== 1)), "ARCHIVE_ALTERED"],
    ["continued", packed([...lines, "[]"]), "ARCHIVE_ALTERED"],
    ["newer", changed('"formatVersion":1', '"formatVersion":2'), "ARCHIVE_TOO_NEW"],
    ["a bomb", bomb, "ARCHIVE_TOO_LARGE"],
    ["with a path", changed(/"blob_key":"[^"]+"/, '"blob_key":"../../etc/passwd"'), "ARCHIVE_INVALID"],
    ["with an unknown member", changed('"key_id"', '"key_ids"'), "ARCHIVE_INVALID"],
    ["of an unknown kind", changed('["key"', '["keys"'), "ARCHIVE_INVALID"],
  ];
  for (const [name, bytesOf, code] of cases) {
    await assert.rejects(verifyArchive(bytes(bytesOf), { owner }), { name: "ArchiveError", code }, name);
  }
  const stranger = `@${randomUUID()}` as EName;
  await assert.rejects(verifyArchive(bytes(archive), { owner: stranger }), { code: "ARCHIVE_OTHER_OWNER" });
  await assert.rejects(verifyArchive(bytes(archive), { digest: "0".repeat(64) }), { code: "ARCHIVE_ALTERED" });
  await assert.rejects(verifyArchive(bytes(archive), { bounds: { totalBytes: 1_000 } }), { code: "ARCHIVE_TOO_LARGE" });
});

test("an import that is interrupted goes on, an equal one changes nothing, and another one is VAULT_EXISTS [V-DEC-692]", async () => {
  await using from = await startVault();
  await using to = await startVault();
  const { owner, note } = await fill(from);
  const archive = await exported(from, owner);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield archive.subarray(0, archive.length / 2);
    throw new Error("the disk is gone");
  }
  const parts = await partsOf(to);
  await assert.rejects(importVault(parts, broken), /the disk is gone/);
  assert.equal((await askGraphQL(to, owner, DOCUMENTS.list, { first: 1 })).status, 404);
  await imported(to, archive);
  await imported(to, archive);
  await askGraphQL(from, owner, DOCUMENTS.remove, { id: note });
  await assert.rejects(imported(to, await exported(from, owner)), { code: "VAULT_EXISTS" });
  const counted = "select sum(n)::int as n, sum(bytes)::int as bytes from record_count where owner = $1";
  const { rows } = await to.database.query<{ n: number }>({ text: counted, values: [owner] });
  assert.equal(rows[0]?.n, 3);
});
