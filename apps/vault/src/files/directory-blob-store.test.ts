import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { openDirectoryBlobStore } from "./directory-blob-store.ts";

const [ANN, BOB] = ["@11111111-1111-4111-8111-111111111111", "@22222222-2222-4222-8222-222222222222"].map(parseEName);

async function makeDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "blob-store-"));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test("deleting a blob deletes what interrupted writes left of it, and of no other blob (decision V15)", async (t) => {
  assert.ok(ANN && BOB);
  const directory = await makeDirectory(t);
  const blobs = await openDirectoryBlobStore(directory, "DS_FILES");
  const incoming = join(directory, "incoming");
  const others = [`${ANN.slice(1)}.one-more.a`, `${BOB.slice(1)}.one.a`];
  for (const name of [`${ANN.slice(1)}.one.a`, `${ANN.slice(1)}.one.b`, ...others])
    await writeFile(join(incoming, name), "part");
  await blobs.delete({ owner: ANN, blobKey: "one" });
  assert.deepEqual((await readdir(incoming)).sort(), others);
});

test("many write one blob at once: it is there as a whole, and no part is left (decision V15)", async (t) => {
  assert.ok(ANN);
  const directory = await makeDirectory(t);
  const blobs = await openDirectoryBlobStore(directory, "DS_FILES");
  const place = { owner: ANN, blobKey: "one" };
  const bytes = Buffer.alloc(200_000, 7);
  await Promise.all(Array.from({ length: 20 }, () => blobs.put(place, bytes)));
  const found = await blobs.get(place);
  assert.ok(found);
  assert.deepEqual(await buffer(found), bytes);
  assert.deepEqual(await readdir(join(directory, "incoming")), []);
});

test("a directory store refuses to start where it cannot write, naming the setting (decision P5)", async (t) => {
  const file = join(await makeDirectory(t), "file");
  await writeFile(file, "");
  await assert.rejects(openDirectoryBlobStore(join(file, "below"), "DS_FILES"), {
    name: "StartupError",
    exitCode: 78,
    message: /^DS_FILES: /,
  });
});
