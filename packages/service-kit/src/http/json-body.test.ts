import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createBodyPool } from "./body-pool.ts";
import { collectJsonBody } from "./json-body.ts";

const MIB = 1_048_576;

function read(body: PassThrough, arriveWithinMs = 60_000) {
  const hold = createBodyPool(64 * MIB)("a");
  return collectJsonBody(body, { limitBytes: 16 * MIB, arriveWithinMs, hold });
}

test("a body that does not arrive in time is REQUEST_TIMEOUT, and one whose peer went away before it was read is refused [decision V25]", async () => {
  const slow = new PassThrough();
  slow.write("{");
  await assert.rejects(read(slow, 20), { code: "REQUEST_TIMEOUT", status: 408 });
  const gone = new PassThrough();
  gone.destroy();
  await new Promise((resolve) => gone.once("close", resolve));
  await assert.rejects(read(gone), { code: "BAD_REQUEST" });
});

test("16 MiB of small arrays are refused while they arrive, without being parsed [decision V25]", async () => {
  const body = new PassThrough();
  const arrived = read(body);
  for (let written = 0; written < 16 && !body.isPaused(); written += 1) body.write("[],".repeat(MIB / 3));
  await assert.rejects(arrived, { code: "PAYLOAD_TOO_LARGE", status: 413 });
});

test("bytes of a body that is refused are counted no more [decision V25]", async () => {
  const open = createBodyPool(4_000);
  const body = new PassThrough();
  const refused = collectJsonBody(body, { limitBytes: 1_000, arriveWithinMs: 60_000, hold: open("a") });
  body.write("x".repeat(900));
  await new Promise(setImmediate);
  body.write("x".repeat(200));
  await assert.rejects(refused, { code: "PAYLOAD_TOO_LARGE" });
  open("a").take(2_000);
});
