import assert from "node:assert/strict";
import { test } from "node:test";
import { createReuseSigned } from "./reuse-signed.ts";

test("a thousand questions about one list sign it once, until it changes, is 30 s old or could not be signed [decision V25]", async () => {
  let nowMs = 0;
  let signed = 0;
  const reuse = createReuseSigned<number>({ nowMs: () => nowMs });
  const ask = (content = "1,2", place = "list 0") => reuse(place, content, async () => ++signed);
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 1_000 }, () => ask()))), new Set([1]));
  assert.deepEqual([await ask("1,2,3"), await ask("1,2,3"), await ask("1,2,3", "list 1")], [2, 2, 3]);
  nowMs = 30_000;
  assert.equal(await ask("1,2,3"), 4);
  await assert.rejects(reuse("list 2", "", () => Promise.reject(new Error("no key"))));
  assert.equal(await ask("", "list 2"), 5);
  for (let place = 0; place < 1_000; place += 1) await ask("", String(place));
  assert.equal(await ask("1,2,3"), 1_006, "a place that was pushed out is signed again");
});
