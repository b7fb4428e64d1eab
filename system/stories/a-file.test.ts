import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createOwner } from "../create-owner.ts";
import { askGraphQL } from "./support/ask.ts";
import { openTestHome } from "./support/start-test-space.ts";

interface Uploaded {
  readonly uploadFile: {
    readonly metaEnvelopeId: string;
    readonly publicUrl: string;
    readonly errors: readonly object[];
  };
}

const UPLOAD = `mutation ($input: UploadFileInput!) {
  uploadFile(input: $input) { metaEnvelopeId publicUrl errors { code message } }
}`;

test("a file uploaded to the development stack lies in its data directory, and is there after a restart (decisions P5, V15)", async () => {
  await using home = await openTestHome();
  const first = await home.start();
  const owner = await createOwner(first, undefined);
  const input = { filename: "a.txt", contentType: "text/plain", content: "aGVsbG8=", acl: ["*"] };
  const { data } = await askGraphQL<Uploaded>(first, { owner }, { query: UPLOAD, variables: { input } });
  const { metaEnvelopeId, publicUrl, errors } = data.uploadFile;
  assert.deepEqual(errors, []);
  // The address that this start listens at, although the system chose its port.
  assert.equal(await (await fetch(publicUrl)).text(), "hello");
  const entries = await readdir(join(first.dataDirectory, "files"), { recursive: true, withFileTypes: true });
  assert.equal(entries.filter((entry) => entry.isFile()).length, 1);
  await first[Symbol.asyncDispose]();

  await using second = await home.start();
  const found = await fetch(`${second.vaultUrl}/files/${metaEnvelopeId}`, { headers: { "x-ename": owner } });
  assert.deepEqual([found.redirected, await found.text()], [true, "hello"]);
});
