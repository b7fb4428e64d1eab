import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress, renderProgress } from "./progress.ts";

test("a bar shows the share that is done, and never more than all", () => {
  assert.equal(renderProgress({ done: 1, total: 2, text: "1 row" }), "[############------------] 50 % 1 row");
  assert.equal(renderProgress({ done: 3, total: 2, text: "3 rows" }), `[${"#".repeat(24)}] 100 % 3 rows`);
  assert.equal(renderProgress({ done: 3, total: undefined, text: "3 rows" }), "3 rows");
});

test("a terminal gets one line that is rewritten, and a file a line each", () => {
  const written: string[] = [];
  const output = (isTTY: boolean, name: string) => ({ isTTY, write: (text: string) => written.push(name + text) });
  for (const isTTY of [true, false]) {
    const progress = createProgress(output(isTTY, "terminal "), output(false, "lines "));
    progress.show({ done: 1, total: undefined, text: "one" });
    progress.end();
  }
  assert.deepEqual(written, ["terminal \rone\u001B[K", "terminal \n", "lines one\n"]);
});
