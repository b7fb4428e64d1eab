import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../log.ts";
import { createMetrics } from "./metrics.ts";

const log = createLog({ service: "test", level: "silent", pretty: false });

/** The value of a metric with its labels. */
async function seriesOf(metrics: ReturnType<typeof createMetrics>, series: string): Promise<string | undefined> {
  const line = (await metrics.write()).split("\n").find((one) => one.startsWith(`${series} `));
  return line?.slice(series.length + 1);
}

test("figures are read once for five seconds, however often and however many at a time ask", async () => {
  let nowMs = 0;
  let reads = 0;
  const metrics = createMetrics({ log, monotonicMs: () => nowMs });
  metrics.addFigures({ depth: "how many", oldest: "how old" }, async () => {
    reads += 1;
    return { depth: reads, oldest: 10 * reads };
  });
  assert.deepEqual(await Promise.all([seriesOf(metrics, "depth"), seriesOf(metrics, "oldest")]), ["1", "10"]);
  nowMs = 4_999;
  assert.equal(await seriesOf(metrics, "oldest"), "10");
  nowMs = 5_000;
  assert.equal(await seriesOf(metrics, "depth"), "2");
  assert.equal(reads, 2);
});

test("a reading that takes long is waited for by all who ask, not begun again", async () => {
  let nowMs = 0;
  let reads = 0;
  const finish = Promise.withResolvers<void>();
  const metrics = createMetrics({ log, monotonicMs: () => nowMs });
  metrics.addFigures({ depth: "how many" }, async () => {
    reads += 1;
    await finish.promise;
    return { depth: 3 };
  });
  const first = seriesOf(metrics, "depth");
  nowMs = 60_000;
  const second = seriesOf(metrics, "depth");
  finish.resolve();
  assert.deepEqual(await Promise.all([first, second]), ["3", "3"]);
  assert.equal(reads, 1);
});

test("figures that cannot be read are NaN, not what they were, and hide no other", async () => {
  let nowMs = 0;
  const metrics = createMetrics({ log, monotonicMs: () => nowMs });
  metrics.addCounter({ name: "asked_total", help: "asked", labels: ["by"] })({ by: "one" });
  metrics.addFigures({ depth: "how many" }, async () => {
    if (nowMs > 0) throw new Error("the database is away");
    return { depth: 7 };
  });
  assert.equal(await seriesOf(metrics, "depth"), "7");
  nowMs = 5_000;
  assert.match(String(await seriesOf(metrics, "depth")), /^nan$/i);
  assert.equal(await seriesOf(metrics, 'asked_total{by="one"}'), "1");
});

test("the metrics of two services in one process have nothing in common", async () => {
  const [one, other] = [1, 2].map(() => createMetrics({ log, monotonicMs: () => 0 })) as [
    ReturnType<typeof createMetrics>,
    ReturnType<typeof createMetrics>,
  ];
  for (const metrics of [one, other]) {
    const count = metrics.addCounter({ name: "things_total", help: "things", labels: [] });
    if (metrics === one) count({}, 5);
  }
  assert.deepEqual([await seriesOf(one, "things_total"), await seriesOf(other, "things_total")], ["5", "0"]);
});
