import assert from "node:assert/strict";
import { test } from "node:test";
import { createWakeSignal, receiveWakeSignal, sendWakeSignal } from "./wake-signal.ts";

test("the first signal needs a message, later ones do not until it is received", () => {
  const signal = createWakeSignal();
  assert.deepEqual([sendWakeSignal(signal), sendWakeSignal(signal), sendWakeSignal(signal)], [true, false, false]);
});

test("a signal soon after another is received without a message; one after a pause needs a message", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const signal = createWakeSignal();
  let received = 0;
  sendWakeSignal(signal);
  receiveWakeSignal(signal, () => (received += 1));
  assert.deepEqual([received, sendWakeSignal(signal), sendWakeSignal(signal)], [1, false, false]);
  t.mock.timers.tick(2);
  assert.deepEqual([received, sendWakeSignal(signal)], [2, false]);
  t.mock.timers.tick(2);
  assert.equal(received, 3);
  t.mock.timers.tick(2);
  assert.deepEqual([received, sendWakeSignal(signal)], [3, true]);
});

test("a signal sent while another is received is not lost", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const signal = createWakeSignal();
  const asked: boolean[] = [];
  sendWakeSignal(signal);
  receiveWakeSignal(signal, () => asked.length < 2 && asked.push(sendWakeSignal(signal)));
  t.mock.timers.tick(2);
  t.mock.timers.tick(2);
  assert.deepEqual(asked, [false, false]);
  t.mock.timers.tick(2);
  assert.equal(sendWakeSignal(signal), true);
});
