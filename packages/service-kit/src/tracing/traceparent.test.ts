import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceparent, readTraceparent } from "./traceparent.ts";

// The example of W3C Trace Context, 3.2.3.
const VALID = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("a traceparent is read as W3C Trace Context has it, and written the same", () => {
  assert.deepEqual(parseTraceparent(VALID), {
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    spanId: "00f067aa0ba902b7",
    sampled: true,
  });
  assert.equal(readTraceparent(VALID), VALID);
  assert.equal(readTraceparent(`${VALID.slice(0, -2)}00`)?.endsWith("-00"), true);
});

test("a later version counts by its first four members", () => {
  assert.equal(readTraceparent(`cc${VALID.slice(2)}-what-the-future-brings`), VALID);
});

const INVALID = {
  "no value": undefined,
  "an empty value": "",
  "upper case": VALID.toUpperCase(),
  "a trace of zeros": `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  "a span of zeros": `00-4bf92f3577b34da6a3ce929d0e0e4736-${"0".repeat(16)}-01`,
  "the version ff": `ff${VALID.slice(2)}`,
  "more members in version 00": `${VALID}-more`,
  "a later version without a separator": `cc${VALID.slice(2)}x`,
  "a list of values": [VALID],
  "a value of 1 MB": `cc${VALID.slice(2)}-${"a".repeat(1_048_576)}`,
} as const;

for (const [what, value] of Object.entries(INVALID)) {
  test(`${what} is no traceparent`, () => assert.equal(readTraceparent(value), undefined));
}
