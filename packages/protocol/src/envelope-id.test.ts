import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { makeEnvelopeId, splitEnvelopeId } from "./envelope-id.ts";

test("makeEnvelopeId() is the record's id, a dot, and the field's key in base64url [decision V6]", () => {
  assert.equal(makeEnvelopeId("8b0c", "name"), "8b0c.bmFtZQ");
  assert.deepEqual(splitEnvelopeId("8b0c.bmFtZQ"), { recordId: "8b0c", fieldKey: "name" });
});

test("splitEnvelopeId() gives back any id and key, dots, emptiness and byte order marks included [decision V6]", () => {
  const key = fc.string({ unit: "grapheme" }).map((text) => `${text.length % 2 === 0 ? "\ufeff" : ""}${text}`);
  fc.assert(
    fc.property(fc.stringMatching(/^[\w.@#-]{1,40}$/), fc.oneof(key, fc.constant("")), (recordId, fieldKey) => {
      assert.deepEqual(splitEnvelopeId(makeEnvelopeId(recordId, fieldKey)), { recordId, fieldKey });
    }),
    { numRuns: 1000 },
  );
});

test("splitEnvelopeId() reads only what makeEnvelopeId() wrote [decision V6]", () => {
  for (const text of [
    "",
    "8b0c",
    ".bmFtZQ",
    "8b0c.bmFtZQ==",
    "8b0c.bmFtZR",
    "8b0c._w",
    "8b0c.bm FtZQ",
    "8b0c.bmFt+Q",
    "\ud800.YQ",
  ]) {
    assert.throws(() => splitEnvelopeId(text), { code: "INVALID_ENVELOPE_ID" }, text);
  }
});

test("makeEnvelopeId() refuses keys that do not survive UTF-8, and an empty record id [decision V6]", () => {
  for (const [recordId, fieldKey] of [
    ["8b0c", "\ud800"],
    ["\ud800", "name"],
    ["", "name"],
  ] as const) {
    assert.throws(() => makeEnvelopeId(recordId, fieldKey), { code: "INVALID_ENVELOPE_ID" });
  }
});

test("makeEnvelopeId() caches no long field keys, of which a caller may send thousands [decision V25]", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapBytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  for (let count = 0; count < 4_000; count += 1) makeEnvelopeId("id", `${count}${"k".repeat(20_000)}`);
  const growthBytes = heapBytes() - before;
  assert.ok(growthBytes < 16 * 1_048_576, `${growthBytes} bytes are held`);
});
