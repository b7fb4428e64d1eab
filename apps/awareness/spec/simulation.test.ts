import assert from "node:assert/strict";
import { test } from "node:test";
import { type EndedDelivery, runSchedule, type ScheduleRun, type SentEvent } from "./support/delivery-schedule.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";

const TABLE = [5, 15, 45, 120, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 14_400, 14_400, 14_400];
const FIRST_SEED = Number(process.env["DS_SIMULATION_SEED"] ?? 1);
const SCHEDULES = Number(process.env["DS_SIMULATION_SCHEDULES"] ?? 200);
const AT_ONCE = 6;

test(`in ${SCHEDULES} random schedules of faults, crashes and clock jumps, from seed ${FIRST_SEED}, no event is lost, none dies or is retried but by the rule, and first deliveries are in order [V-DLV-005] [V-DLV-007] [V-EVT-120] [V-EVT-123] [V-EVT-141] [V-EVT-142] [V-EVT-143] [V-EVT-144] [V-EVT-145] [V-EVT-147]`, async (t) => {
  const totals = { requests: 0, delivered: 0, dead: 0, crashes: 0, exactGaps: 0, atDeadline: 0 };
  let next = FIRST_SEED;
  async function runSome(): Promise<void> {
    await using world = await openDeliveryWorld();
    while (next < FIRST_SEED + SCHEDULES) {
      const seed = next++;
      try {
        check(await runSchedule(world, seed), totals);
        await world.empty();
      } catch (error) {
        throw new Error(`The schedule of DS_SIMULATION_SEED=${seed} DS_SIMULATION_SCHEDULES=1 fails.`, {
          cause: error,
        });
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runSome));
  t.diagnostic(JSON.stringify(totals));
  if (SCHEDULES >= 100) for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, `no ${what} at all`);
});

type Totals = Record<"requests" | "delivered" | "dead" | "crashes" | "exactGaps" | "atDeadline", number>;

function check(run: ScheduleRun, totals: Totals): void {
  assert.equal(run.ended.length, run.queued);
  assert.equal(run.lanesLeft, 0, "a lane did not go on");
  totals.requests += run.sent.length;
  totals.crashes += run.sent.filter(({ crashed }) => crashed).length;
  for (const delivery of run.ended) {
    const name = `${delivery.lane} ${delivery.version}`;
    const sent = run.sent.filter(({ lane, version }) => lane === delivery.lane && version === delivery.version);
    checkEnd(delivery, sent, name);
    checkGaps(delivery, sent, totals);
    totals[delivery.state === "dead" ? "dead" : "delivered"] += 1;
  }
  checkOrder(run);
}

function checkEnd({ state, reason, deadlineMs }: EndedDelivery, sent: readonly SentEvent[], name: string): void {
  const last = sent.at(-1);
  if (state === "delivered") {
    assert.ok(last?.ok && !last.crashed, `${name} counts as delivered`);
    return;
  }
  assert.equal(state, "dead", `${name} is ${state}`);
  if (reason === "endpoint_unavailable") return;
  assert.ok(last !== undefined && !last.ok, `${name} died without a failed attempt`);
  assert.ok(last.atMs >= deadlineMs, `${name} died ${deadlineMs - last.atMs} ms before its deadline`);
  // Nothing else at or after the deadline had failed and been noted.
  const late = sent.filter(({ atMs, crashed }) => atMs >= deadlineMs && !crashed);
  assert.equal(late.length, 1, `${name} was tried again after its last attempt`);
}

function checkGaps({ deadlineMs }: EndedDelivery, sent: readonly SentEvent[], totals: Totals): void {
  if (!sent.some(({ crashed }) => crashed)) assert.ok(sent.length <= 16, `${sent.length} attempts`);
  for (const [index, { atMs, disturbed, number }] of sent.entries()) {
    const before = sent[index - 1];
    // After a crash the lease says when, and where a circuit was open or the clock set, that does.
    if (before === undefined || before.crashed || disturbed) continue;
    assert.equal(number, before.number + 1);
    if (atMs === deadlineMs) {
      totals.atDeadline += 1;
      continue;
    }
    const longestMs = Math.max((TABLE[before.number - 1] ?? Number.NaN) * 1000, before.retryAfterMs ?? 0);
    const shortestMs = Math.max((TABLE[before.number - 1] ?? Number.NaN) * 800, before.retryAfterMs ?? 0);
    const gapMs = atMs - before.atMs;
    assert.ok(gapMs >= shortestMs && gapMs <= longestMs, `attempt ${number} came after ${gapMs} ms`);
    assert.ok(atMs < deadlineMs, `attempt ${number} came past the deadline`);
    totals.exactGaps += 1;
  }
}

// By the order of sending, never by a clock: a version is first sent when all before it on its lane had their last request.
function checkOrder({ sent }: ScheduleRun): void {
  const newest = new Map<string, number>();
  for (const { lane, version } of sent) {
    const before = newest.get(lane) ?? 0;
    assert.ok(version >= before, `${lane}: ${version} was sent after ${before}`);
    newest.set(lane, version);
  }
}
