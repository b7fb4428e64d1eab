import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { parseFileUri } from "@dataspace/protocol/wallet-uri";
import { askGraphQL } from "./ask.ts";
import { download, locate, sendUpload, upload } from "./file-requests.ts";
import { DOCUMENTS, errorCodeOf, refusalOf } from "./operations.ts";
import type { TestVault } from "./start-vault.ts";

/** A vault, and the directory under which the blobs of its store lie as files. */
export interface VaultWithFiles extends AsyncDisposable {
  readonly vault: TestVault;
  readonly blobDirectory: string;
}

const MIB = 1_048_576;
const FULL = `create function no_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
  create trigger no_space before insert on change execute function no_space()`;

/** How many files lie under a directory. */
export async function countFiles(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

/** Puts a store of files to the promises that hold on every one. */
export function promiseFiles(store: string, start: () => Promise<VaultWithFiles>, skip: string | false = false): void {
  const on = (name: string, run: (at: VaultWithFiles) => Promise<void>): void =>
    void test(`${store}: ${name}`, { skip }, async () => {
      await using at = await start();
      await run(at);
    });
  promiseBytes(on);
  promiseAddresses(on);
  promiseFailures(on);
}

type On = (name: string, run: (at: VaultWithFiles) => Promise<void>) => void;

function promiseBytes(on: On): void {
  on(
    "bytes come back as they were given, from none to 10 MiB, and one byte more is refused [V-DEC-006] [V-FILE-001] [V-FILE-003] [V-FILE-004] [V-DEC-628]",
    async ({ vault }) => {
      const owner = await vault.createOwner();
      for (const length of [0, 1, 10 * MIB]) {
        const bytes = randomBytes(length);
        const content = length === 1 ? `data:image/png;base64,${bytes.toString("base64")}` : bytes.toString("base64");
        const { metaEnvelopeId } = await upload(vault, owner, { content, contentType: "image/png" });
        const got = await download((await locate(vault, owner, metaEnvelopeId)).location);
        assert.deepEqual([got.status, got.bytes.length, got.bytes.equals(bytes)], [200, length, true]);
        assert.deepEqual(
          [got.headers.get("content-length"), got.headers.get("content-type")],
          [`${length}`, "image/png"],
        );
      }
      const content = Buffer.alloc(10 * MIB + 1).toString("base64");
      const { code, field } = refusalOf(await sendUpload(vault, owner, { content }));
      assert.deepEqual([code, field], ["FILE_TOO_LARGE", "content"]);
    },
  );

  on(
    "the record describes the file, and the uri names it [V-FILE-006] [V-FILE-007] [V-DEC-621] [V-DEC-622]",
    async ({ vault }) => {
      const owner = await vault.createOwner();
      const { uri, metaEnvelopeId, publicUrl } = await upload(vault, owner);
      assert.equal(uri, `ds://file?id=${owner}/${metaEnvelopeId}`);
      assert.deepEqual(parseFileUri(uri), { ename: owner, metaEnvelopeId });
      assert.equal(publicUrl, null);
      const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id: metaEnvelopeId });
      const { ontology, parsed } = body.data.metaEnvelope;
      const { blobKey, uploadedAt, ...rest } = parsed;
      assert.equal(ontology, "ds-file-v1");
      assert.deepEqual(rest, { filename: "hello.txt", contentType: "text/plain", size: 5, publicUrl: null });
      assert.match(blobKey, /^[0-9a-f-]{36}$/);
      assert.equal(new Date(uploadedAt).toISOString(), uploadedAt);
      const history = await askGraphQL(vault, owner, DOCUMENTS.history, { id: metaEnvelopeId });
      assert.equal(history.body.data.metaEnvelopeHistory.totalCount, 1);
      const other = await upload(vault, owner);
      const read = await askGraphQL(vault, owner, DOCUMENTS.read, { id: other.metaEnvelopeId });
      assert.notEqual(read.body.data.metaEnvelope.parsed.blobKey, blobKey);
    },
  );
}

function promiseAddresses(on: On): void {
  on(
    "a `*` file has a stable address for whoever has it, dead once the record is narrowed or removed, alive again after a rollback [V-DEC-620] [V-DEC-624] [V-DEC-625]",
    async ({ vault }) => {
      const owner = await vault.createOwner();
      const { metaEnvelopeId: id, publicUrl } = await upload(vault, owner, { acl: ["*"] });
      assert.ok(publicUrl);
      assert.equal(publicUrl.indexOf(`${vault.url}/blobs/`), 0);
      const found = await locate(vault, owner, id);
      assert.deepEqual([found.status, found.location], [302, publicUrl]);
      assert.equal((await locate(vault, owner, id)).location, publicUrl);
      assert.equal((await download(publicUrl)).bytes.toString(), "hello");
      const setAcl = (acl: readonly string[]) =>
        askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "ds-file-v1", payload: {}, acl } });
      await setAcl([owner]);
      const dead = await download(publicUrl);
      assert.deepEqual([dead.status, JSON.parse(dead.bytes.toString()).error.code], [404, "NOT_FOUND"]);
      await setAcl(["*"]);
      assert.equal((await download(publicUrl)).status, 200);
      await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
      assert.equal((await download(publicUrl)).status, 404);
      const gone = await locate(vault, owner, id);
      assert.equal(gone.status, 404);
      const rollback = "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version errors { code } } }";
      await askGraphQL(vault, owner, rollback, { id });
      assert.equal((await download(publicUrl)).bytes.toString(), "hello");
    },
  );

  on(
    "any other file has a signed address, dead once the record changes hands or is removed [V-DEC-626]",
    async ({ vault }) => {
      const owner = await vault.createOwner();
      const { metaEnvelopeId: id } = await upload(vault, owner);
      const { status, location } = await locate(vault, owner, id);
      assert.equal(status, 302);
      assert.match(location, /\?expires=\d+&signature=[\w-]{43}$/);
      assert.equal((await download(location)).bytes.toString(), "hello");
      assert.equal((await download(location.split("?")[0]!)).status, 404);
      const input = { ontology: "ds-file-v1", payload: {}, acl: [] };
      await askGraphQL(vault, owner, DOCUMENTS.update, { id, input });
      assert.equal((await download(location)).status, 404);
      const again = (await locate(vault, owner, id)).location;
      assert.equal((await download(again)).status, 200);
      await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
      assert.equal((await download(again)).status, 404);
    },
  );

  on(
    "a file is sent as an attachment that can neither run nor be guessed at, to HEAD too [V-DEC-627]",
    async ({ vault }) => {
      const owner = await vault.createOwner();
      const { publicUrl } = await upload(vault, owner, { contentType: "text/html", filename: "a.html", acl: ["*"] });
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, bytes } = await download(publicUrl!, { method });
        assert.deepEqual([status, bytes.length], [200, method === "GET" ? 5 : 0]);
        assert.equal(headers.get("content-disposition"), `attachment; filename="a.html"; filename*=UTF-8''a.html`);
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'");
        assert.deepEqual([headers.get("content-type"), headers.get("content-length")], ["text/html", "5"]);
        assert.equal(headers.get("cache-control"), "private, no-cache");
      }
      const etag = (await download(publicUrl!)).headers.get("etag")!;
      assert.equal((await download(publicUrl!, { headers: { "if-none-match": etag } })).status, 304);
    },
  );
}

function promiseFailures(on: On): void {
  on(
    "a record that cannot be written leaves no blob, no bytes counted and no trace",
    async ({ vault, blobDirectory }) => {
      const owner = await vault.createOwner();
      await upload(vault, owner);
      const before = await countFiles(blobDirectory);
      await vault.database.query({ text: FULL, values: [] });
      const answer = await sendUpload(vault, owner);
      assert.deepEqual([answer.status, errorCodeOf(answer)], [503, "STORAGE_FULL"]);
      assert.equal(await countFiles(blobDirectory), before);
      const text = "select (select count(*) from stored_file) as files, (select used_bytes from file_usage) as bytes";
      assert.deepEqual((await vault.database.query({ text, values: [] })).rows, [{ files: 1, bytes: 5 }]);
      await vault.database.query({ text: "drop trigger no_space on change", values: [] });
      await upload(vault, owner);
    },
  );
}
