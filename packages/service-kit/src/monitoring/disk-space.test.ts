import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { createDiskCheck, DISK_FLOOR_BYTES, readFreeBytes } from "./disk-space.ts";

test("a disk below the floor, and a directory that is gone, make a service not ready and are named [P6]", () => {
  assert.equal(createDiskCheck("/data", () => DISK_FLOOR_BYTES)(), undefined);
  assert.match(createDiskCheck("/data", () => DISK_FLOOR_BYTES - 1)() ?? "", /63 MB are free at \/data/);
  assert.match(createDiskCheck("/no/such/directory")() ?? "", /\/no\/such\/directory.*ENOENT/);
  assert.ok(readFreeBytes(tmpdir()) > 0);
});
