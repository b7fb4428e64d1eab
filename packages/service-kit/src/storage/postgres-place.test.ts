import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { isFitPlace } from "./postgres-place.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));
const NOT_ROOT = process.getuid?.() === 0 ? false : "only root gives directories to other users";
const OTHER_USER = 65_534;

/** A folder in which every user may create directories, like /tmp. */
function setupShared(t: TestContext): string {
  const shared = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "dataspace-place-")));
  fs.chmodSync(shared, 0o1777);
  t.after(() => fs.rmSync(shared, { recursive: true, force: true }));
  return shared;
}

test("a place among other users' directories is made for us alone, and found fit again [P4]", (t) => {
  const place = join(setupShared(t), "place");
  for (const _start of [1, 2]) {
    assert.equal(isFitPlace(place, undefined), true);
    assert.equal(fs.statSync(place).mode & 0o777, 0o700);
  }
});

test("a place among other users' directories that is a symbolic link or may be written by others is not used [P4]", (t) => {
  const shared = setupShared(t);
  const target = join(shared, "target");
  fs.mkdirSync(target, { mode: 0o700 });
  fs.symlinkSync(target, join(shared, "link"));
  assert.equal(isFitPlace(join(shared, "link"), undefined), false);
  for (const mode of [0o777, 0o770, 0o702]) {
    fs.chmodSync(target, mode);
    assert.equal(isFitPlace(target, undefined), false, mode.toString(8));
  }
});

test("a place among other users' directories that another user made first is not used [P4]", {
  skip: NOT_ROOT,
}, (t) => {
  const place = join(setupShared(t), "place");
  fs.mkdirSync(place, { mode: 0o700 });
  fs.chownSync(place, OTHER_USER, OTHER_USER);
  assert.equal(isFitPlace(place, undefined), false);
});

test("a recorded place that another user has recreated since then is refused with 78, and no program runs on its files [P4]", {
  skip: NOT_ROOT,
}, async (t) => {
  const shared = setupShared(t);
  const dataDirectory = join(shared, "data");
  const place = join(shared, "place");
  fs.mkdirSync(dataDirectory, { mode: 0o700 });
  fs.mkdirSync(join(place, "postgres"), { recursive: true, mode: 0o700 });
  fs.chownSync(place, OTHER_USER, OTHER_USER);
  fs.writeFileSync(join(dataDirectory, "postgres-place"), place);
  const config = { dataDirectory, checkoutDirectory: CHECKOUT, report() {} };
  await assert.rejects(startEmbeddedPostgres(config), { exitCode: 78, message: /another user owns it/ });
});
