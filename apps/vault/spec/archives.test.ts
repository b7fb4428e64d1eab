import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { test } from "node:test";
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
