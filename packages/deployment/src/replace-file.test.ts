import assert from "node:assert/strict";
import { chmod, chown, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { replaceFile } from "./replace-file.ts";

async function makeDirectory() {
  const path = await mkdtemp(join(tmpdir(), "dataspace-replace-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("a new file is readable by its owner alone, and one that is replaced keeps its mode and its owner where that is asked for", async () => {
  await using place = await makeDirectory();
  const file = join(place.path, "key");
  await replaceFile(file, (handle) => handle.writeFile("one"));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await chmod(file, 0o640);
  // Only root may give a file away.
  const owner = process.getuid?.() === 0 ? 65_534 : (await stat(file)).uid;
  await chown(file, owner, (await stat(file)).gid);
  await replaceFile(file, (handle) => handle.writeFile("two"), { keepsAccess: true });
  const { mode, uid } = await stat(file);
  assert.deepEqual([mode & 0o777, uid], [0o640, owner]);
  assert.equal(await readFile(file, "utf8"), "two");
  await replaceFile(file, (handle) => handle.writeFile("three"));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test("the file behind a symbolic link is replaced, and a write that fails leaves the old file and nothing beside it", async () => {
  await using place = await makeDirectory();
  const [file, link] = [join(place.path, "key"), join(place.path, "link")];
  await writeFile(file, "one");
  await symlink("key", link);
  await replaceFile(link, (handle) => handle.writeFile("two"));
  assert.equal(await readlink(link), "key");
  await assert.rejects(
    replaceFile(file, async (handle) => {
      await handle.writeFile("half");
      throw new Error("no more");
    }),
    { message: "no more" },
  );
  assert.equal(await readFile(file, "utf8"), "two");
  assert.deepEqual((await readdir(place.path)).toSorted(), ["key", "link"]);
});
