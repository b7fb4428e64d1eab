import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { AttemptDeps } from "../../src/delivery/attempt-delivery.ts";
import { createDeliveryWork } from "../../src/delivery/delivery-worker.ts";

/** A clock that stands still until it is set. */
export interface VirtualClock extends Clock {
  readonly set: (ms: number) => void;
}

export function createVirtualClock(startMs: number): VirtualClock {
  let atMs = startMs;
  return {
    nowMs: () => atMs,
    set: (ms) => {
      atMs = ms;
    },
  };
}

/** Attempts all that is due now, until nothing is. An attempt that breaks off leaves its lane to the lease, as a crash does. */
export function createDrain(
  deps: AttemptDeps,
  onClaim: (lanes: number) => void = () => undefined,
): () => Promise<void> {
  const { claim, work } = createDeliveryWork(deps);
  return async () => {
    for (;;) {
      const lanes = await claim(256);
      if (lanes.length === 0) return;
      onClaim(lanes.length);
      const ends = await Promise.allSettled(lanes.map((lane) => work({ lanes: [lane], holdsFor: () => true })));
      for (const end of ends) if (end.status === "rejected" && end.reason !== CRASH) throw end.reason;
    }
  };
}

/** What a test throws to stand for a worker that ends in the middle of its work. */
export const CRASH: Error = new Error("the worker ends here");

/** The next moment at which something is due; undefined when nothing will ever be. */
export async function nextMoment(database: Queryable): Promise<number | undefined> {
  const { rows } = await database.query<{ readonly at: Date | null }>({
    text: `select min(case when s.opened_at is null then l.next_at else greatest(l.next_at, s.probe_at) end) as at
             from lane l join subscription s on s.id = l.subscription_id
            where l.next_at is not null and s.active and not s.removed`,
    values: [],
  });
  return rows[0]?.at?.getTime();
}
