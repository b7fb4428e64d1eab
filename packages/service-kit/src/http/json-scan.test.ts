import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createJsonScan } from "./json-scan.ts";
import { markLossyNumbers } from "./lossy-numbers.ts";

const MIB = 1_048_576;

function scan(text: string, chunkBytes = 65_536): boolean {
  const bytes = Buffer.from(text);
  const json = createJsonScan();
  for (let at = 0; at < bytes.length; at += chunkBytes) json.push(bytes.subarray(at, at + chunkBytes));
  return json.hasSuspiciousNumber();
}

const fill = (unit: string, sizeBytes: number): string => unit.repeat(Math.floor(sizeBytes / unit.length));

test("a body of very many values is refused before it is parsed, at its first bytes already [decision V25]", () => {
  for (const unit of ["[],", "{},", '{"a":0},', "[", '"k":0,']) {
    const json = createJsonScan();
    let pushed = 0;
    assert.throws(
      () => {
        for (; pushed < 16; pushed += 1) json.push(Buffer.from(fill(unit, MIB)));
      },
      { code: "PAYLOAD_TOO_LARGE", status: 413 },
      unit,
    );
    assert.equal(pushed < 3, true, unit);
  }
});

test("what clients send passes: a full record of numbers or positions, a bulk of 1,000 records, 16 MiB of text [P9]", () => {
  scan(`[${fill("0,", MIB)}0]`);
  scan(`[${fill("[13.405,52.520],", MIB / 2)}0]`);
  const record = JSON.stringify({
    ontology: "o",
    payload: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "x"])),
  });
  scan(`[${Array.from({ length: 1_000 }, () => record).join()}]`);
  scan(JSON.stringify("[],{}:".repeat(2 * MIB)));
});

test("a number that is marked is always suspicious, however the bytes are cut [decision V7]", () => {
  const value = fc.oneof(fc.constantFrom("1e400", "9007199254740993", "-1E-400", "0.1", '"1e400"', '"\\\\"', "true"));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), (values, chunkBytes) => {
      const text = `[${values.join(" , ")}]`;
      if (markLossyNumbers(text) !== text) assert.equal(scan(text, chunkBytes), true, text);
      if (!/[\de]/.test(text.replaceAll('"1e400"', ""))) assert.equal(scan(text, chunkBytes), false, text);
    }),
  );
});
