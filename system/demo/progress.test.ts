import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, showProgress } from "./progress.ts";

test("describe(): bar, count, rate and the time that is left", () => {
  const line = describe({ label: "written", total: 4000, done: 1000, elapsedMs: 2000 });
  assert.equal(line, "written     [#######---------------------] 1,000 of 4,000  500/s  about 6 s left");
});

test("describe(): a stage that is through tells how long it took, and an empty one divides by nothing", () => {
  const through = describe({ label: "read", total: 10, done: 10, elapsedMs: 95_000 });
  assert.match(through, /10 of 10 {2}0\/s {2}in 1 min 35 s$/);
  assert.match(describe({ label: "read", total: 0, done: 0, elapsedMs: 0 }), /0 of 0 {2}0\/s {2}in 0 s$/);
});

test("describe(): without a total there is a count and no bar", () => {
  assert.equal(
    describe({ label: "catch-up", total: undefined, done: 1000, elapsedMs: 2000 }),
    "catch-up    1,000  500/s",
  );
});

test("showProgress(): a note follows the count", () => {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  {
    using progress = showProgress({ stream, nowMs: () => 0 }, { label: "backfill", total: 2 });
    progress.add(1, "1 without an owner");
  }
  assert.match(text, /1 of 2 {2}0\/s {2}1 without an owner\n$/);
});

test("showProgress(): away from a terminal whole lines, at one a line that is redrawn", () => {
  for (const [isTTY, before] of [
    [false, ""],
    [true, "\r\u001b[2K"],
  ] as const) {
    let text = "";
    const stream = {
      isTTY,
      write: (part: string) => {
        text += part;
      },
    };
    {
      using progress = showProgress({ stream, nowMs: () => 0 }, { label: "read", total: 2 });
      progress.add(2);
      assert.equal(progress.done(), 2);
    }
    assert.ok(text.startsWith(`${before}read `), text);
    assert.match(text, /2 of 2.*\n$/);
  }
});
