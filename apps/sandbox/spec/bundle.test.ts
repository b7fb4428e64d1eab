import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { bundleBrowserApp } from "../src/bundle.ts";

const KIB = 1_024;

test("the sandbox's program is at most 60 KiB compressed, the code reader comes apart, and all is at most 120 KB", async () => {
  const { entry, style, files } = await bundleBrowserApp();
  const sizes = new Map([...files].map(([address, code]) => [address, gzipSync(code).length]));
  assert.ok((sizes.get(entry) ?? Number.POSITIVE_INFINITY) <= 60 * KIB, `${sizes.get(entry)} bytes`);
  const later = [...sizes].filter(([address]) => address !== entry && address !== style);
  assert.equal(later.length, 1);
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(total <= 120_000, JSON.stringify([...sizes]));
  for (const address of files.keys()) assert.match(address, /^\/app\/[\w-]{12}\/[\w.-]+\.(?:js|css)$/);
});
