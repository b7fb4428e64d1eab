import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startWatchdog } from "./watchdog.ts";

const SECOND_MS = 1_000;

/** Workers that look only when the test says so, and a clock that the test moves. */
function setup(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const workers: { looks: number; ended: boolean }[] = [];
  const log = { error: () => undefined };
  const start = () => {
    const state = { looks: 0, ended: false };
    workers.push(state);
    return {
      looks: () => state.looks,
      [Symbol.asyncDispose]: () => {
        state.ended = true;
        return new Promise<void>(() => undefined);
      },
    };
  };
  const watchdog = startWatchdog({ log }, { what: "The sender of mail", start });
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) t.mock.timers.tick(SECOND_MS);
  };
  return { workers, watchdog, pass };
}

test("a worker that looks at least every 29 s is left alone", (t) => {
  const { workers, watchdog, pass } = setup(t);
  for (let round = 0; round < 5; round += 1) {
    (workers[0] as { looks: number }).looks += 1;
    pass(29);
  }
  assert.equal(workers.length, 1);
  assert.equal(watchdog.findFault(), undefined);
});

test("a worker that has not looked for 30 s is a fault with its name, and another takes its place, also when the first never ends [E1]", (t) => {
  const { workers, watchdog, pass } = setup(t);
  pass(29);
  assert.equal(watchdog.findFault(), undefined);
  pass(1);
  assert.match(watchdog.findFault() ?? "", /^The sender of mail has not looked for work for 30 s/);
  assert.deepEqual(workers, [
    { looks: 0, ended: true },
    { looks: 0, ended: false },
  ]);
  pass(2);
  assert.ok(watchdog.findFault(), "the new one has not looked yet");
  (workers[1] as { looks: number }).looks = 1;
  pass(1);
  assert.equal(watchdog.findFault(), undefined);
});

test("a worker whose successors hang too is started again every 30 s", (t) => {
  const { workers, watchdog, pass } = setup(t);
  pass(90);
  assert.equal(workers.length, 4);
  assert.ok(watchdog.findFault());
});
