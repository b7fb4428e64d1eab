import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createLog } from "@dataspace/service-kit/log";
import { startSequencer } from "./sequencer.ts";

const WAITS = 20_000;
/** A wait that leaves a promise or a listener behind leaves some 700 bytes; the heap moves by some 150 for each by itself. */
const BYTES_PER_WAIT = 350;

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("a wait for the feed to grow leaves nothing behind when it ends, on the heap or on its signal [decision V25]", async () => {
  const database = { transaction: async () => 0 } as unknown as Parameters<typeof startSequencer>[0]["database"];
  const log = createLog({ service: "awareness", level: "silent", pretty: false });
  await using sequencer = startSequencer({ database, log });
  const open = new AbortController();
  const waitMany = () => Promise.all(Array.from({ length: WAITS }, () => sequencer.untilGrown(open.signal)));
  await waitMany();
  const before = heapAfterCollection();
  await waitMany();
  await waitMany();
  const grownBytes = heapAfterCollection() - before;
  assert.ok(grownBytes < 2 * WAITS * BYTES_PER_WAIT, `${grownBytes} bytes for ${2 * WAITS} waits`);
  assert.equal(getEventListeners(open.signal, "abort").length, 0);
  const waiting = sequencer.untilGrown(open.signal);
  open.abort();
  await waiting;
  await sequencer.untilGrown(open.signal);
});
