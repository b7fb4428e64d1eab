import type { ClaimedLane, ConsumerRoom } from "../store/claim-lanes.ts";

/** Whose a claimed lane is, and whether it counts among the slow ones. */
export type ConsumerLane = Pick<ClaimedLane, "consumerId" | "isSlow">;

/** How many deliveries of each consumer are in flight in this worker. */
export interface ConsumerRooms {
  /** Those of consumers that have any. */
  readonly known: ReadonlyMap<string, ConsumerRoom>;
  /** Says which lanes were claimed by what is known now, before any of them begins. */
  readonly claimed: (lanes: readonly ConsumerLane[]) => void;
  /** Whether the last claim filled the consumer's room, so that more may be due than it took. */
  readonly mayLackRoom: (consumerId: string) => boolean;
  readonly begin: (lane: ConsumerLane) => void;
  readonly end: (lane: ConsumerLane) => void;
}

/** The most deliveries of one consumer in one worker: a quarter of its places. */
export const MOST_OF_CONSUMER = 64;
/** The most of them to slow endpoints, all together. */
export const MOST_OF_SLOW = 16;

const NONE: ConsumerRoom = { underWay: 0, slow: 0 };

/** Counts the deliveries of consumers; one that has none in flight takes no memory. Refuses: never. Source: decision V25. */
export function createConsumerRooms(): ConsumerRooms {
  const known = new Map<string, ConsumerRoom>();
  let filled: ReadonlySet<string> = new Set();
  return {
    known,
    claimed: (lanes) => {
      const after = new Map(known);
      for (const lane of lanes) change(after, lane, 1);
      filled = new Set([...after].flatMap(([id, room]) => (isFull(room) ? id : [])));
    },
    mayLackRoom: (consumerId) => filled.has(consumerId),
    begin: (lane) => change(known, lane, 1),
    end: (lane) => change(known, lane, -1),
  };
}

function isFull({ underWay, slow }: ConsumerRoom): boolean {
  return underWay >= MOST_OF_CONSUMER || slow >= MOST_OF_SLOW;
}

function change(rooms: Map<string, ConsumerRoom>, { consumerId, isSlow }: ConsumerLane, by: 1 | -1): void {
  const { underWay, slow } = rooms.get(consumerId) ?? NONE;
  const changed = { underWay: underWay + by, slow: slow + (isSlow ? by : 0) };
  if (changed.underWay > 0) rooms.set(consumerId, changed);
  else rooms.delete(consumerId);
}
