import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import type { WebhookOutcome } from "../../src/delivery/send-webhook.ts";
import type { DeliveryWorld } from "./delivery-world.ts";
import { CRASH, createDrain, createVirtualClock, nextMoment } from "./virtual-time.ts";
import { outcomeAt } from "./webhook-outcome.ts";

const START = 1_790_000_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** One request of a schedule, in the order of sending: `crashed` where its worker ended before it noted what came of it. */
export interface SentEvent {
  readonly lane: string;
  readonly version: number;
  readonly number: number;
  readonly atMs: number;
  readonly ok: boolean;
  readonly crashed: boolean;
  readonly retryAfterMs: number | undefined;
  /** Whether the subscription's circuit had been open, or the clock been set, since the lane's request before. */
  readonly disturbed: boolean;
}

/** A delivery as it ended, with its deadline. */
export interface EndedDelivery {
  readonly lane: string;
  readonly version: number;
  readonly state: string;
  readonly reason: string | null;
  readonly deadlineMs: number;
}

/** What one schedule gave. */
export interface ScheduleRun {
  readonly sent: readonly SentEvent[];
  readonly ended: readonly EndedDelivery[];
  readonly queued: number;
  readonly lanesLeft: number;
}

interface Plan {
  readonly subscriptions: number;
  readonly lanes: number;
  readonly versions: number;
  readonly downs: readonly (readonly [number, number])[];
  readonly failure: () => { readonly status: number | null; readonly retryAfterMs: number | undefined };
  readonly crashes: number;
  readonly jumps: readonly (readonly [number, number])[];
}

function draw(random: () => number): Plan {
  const pick = <T>(...from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const downs = Array.from({ length: pick(1, 1, 2, 3) }, () => {
    const from = random() < 0.5 ? 0 : random() * 20 * HOUR;
    return [from, from + pick(HOUR / 60, HOUR, 6 * HOUR, DAY - HOUR / 60, DAY + HOUR / 60, 30 * HOUR)] as const;
  });
  const kind = pick<number | null>(null, 500, 503, 404, 429, 302);
  return {
    subscriptions: pick(1, 1, 2),
    lanes: pick(1, 2, 2, 3, 5),
    versions: pick(1, 2, 3),
    downs,
    failure: () => ({ status: kind, retryAfterMs: kind === 429 ? Math.floor(random() * 2 * HOUR) : undefined }),
    crashes: pick(0, 0, 0.05, 0.2),
    jumps: random() < 0.25 ? [[random() * 20 * HOUR, pick(-DAY, DAY)]] : [],
  };
}

/** Runs the schedule of a seed in an empty world to its end: until nothing is due any more. */
export async function runSchedule(world: DeliveryWorld, seed: number): Promise<ScheduleRun> {
  const random = createSeededRandom(seed);
  const plan = draw(random);
  const { database } = world;
  const clock = createVirtualClock(START);
  const sent: SentEvent[] = [];
  const lastOfLane = new Map<string, number>();
  const jumps = [...plan.jumps].map(([afterMs, byMs]) => ({ afterMs, byMs }));
  // What the receiver lives by: time that no one sets.
  let setByMs = 0;
  let disturbances = 0;
  const isDown = (atMs: number) => plan.downs.some(([from, to]) => atMs >= from && atMs < to);
  const deps = world.depsWith({
    clock,
    random,
    send: async ({ body, headers }): Promise<WebhookOutcome> => {
      const { id, streamVersion: version } = JSON.parse(body);
      const lane = `${headers["webhook-subscription-id"]} ${id}`;
      const failed = isDown(clock.nowMs() - setByMs - START) ? plan.failure() : undefined;
      const crashed = random() < plan.crashes;
      const entry = { lane, version, number: Number(headers["webhook-attempt"]), atMs: clock.nowMs(), crashed };
      const disturbed = lastOfLane.get(lane) !== undefined && lastOfLane.get(lane) !== disturbances;
      lastOfLane.set(lane, disturbances);
      sent.push({ ...entry, ok: failed === undefined, retryAfterMs: failed?.retryAfterMs, disturbed });
      if (crashed) throw CRASH;
      const { status = 200, retryAfterMs } = failed ?? {};
      return outcomeAt(clock.nowMs(), status, { retryAfterMs });
    },
  });
  const drain = createDrain(deps);
  const arrivals = await planArrivals();
  for (;;) {
    await drain();
    const { rows } = await database.query({
      text: "select from subscription where opened_at is not null or in_flight_limit is not null limit 1",
      values: [],
    });
    if (rows.length > 0) disturbances += 1;
    const due = await nextMoment(database);
    const arriving = arrivals[0]?.atMs;
    const jump = jumps[0];
    const arrivesAtMs = arriving === undefined ? undefined : arriving + setByMs;
    const atMs = Math.min(due ?? Number.POSITIVE_INFINITY, arrivesAtMs ?? Number.POSITIVE_INFINITY);
    if (atMs === Number.POSITIVE_INFINITY) break;
    if (jump !== undefined && atMs - setByMs - START >= jump.afterMs) {
      jumps.shift();
      setByMs += jump.byMs;
      disturbances += 1;
      clock.set(clock.nowMs() + jump.byMs);
      continue;
    }
    clock.set(Math.max(atMs, clock.nowMs()));
    if (arriving !== undefined && atMs === arrivesAtMs) {
      const { subscriptionId, recordId, streamVersion } = arrivals.shift()!;
      await world.queue({ subscriptionId, recordId, streamVersion, receivedAtMs: clock.nowMs() });
    }
  }
  return { sent, ...(await readEnd()) };

  async function planArrivals() {
    const planned: { atMs: number; subscriptionId: string; recordId: string; streamVersion: number }[] = [];
    for (let subscription = 0; subscription < plan.subscriptions; subscription += 1) {
      const subscriptionId = await world.addSubscription();
      for (let lane = 0; lane < plan.lanes; lane += 1) {
        let atMs = START + Math.floor(random() * HOUR);
        for (let streamVersion = 1; streamVersion <= plan.versions; streamVersion += 1) {
          planned.push({ atMs, subscriptionId, recordId: `r${subscription}-${lane}`, streamVersion });
          atMs += Math.floor(random() * random() * 30 * HOUR);
        }
      }
    }
    return planned.sort((one, other) => one.atMs - other.atMs);
  }

  async function readEnd(): Promise<Omit<ScheduleRun, "sent">> {
    const { rows } = await database.query<Omit<EndedDelivery, "deadlineMs"> & { readonly deadline: Date }>({
      text: `select subscription_id || ' ' || record_id as lane, stream_version as version, state, reason, deadline
               from delivery order by 1, 2`,
      values: [],
    });
    const ended = rows.map(({ deadline, ...row }) => ({ ...row, deadlineMs: deadline.getTime() }));
    const left = await database.query({ text: "select from lane where done_version < tail_version", values: [] });
    const queued = plan.subscriptions * plan.lanes * plan.versions;
    return { ended, queued, lanesLeft: left.rowCount };
  }
}
