import { LRUCache } from "lru-cache";
import type { LaneRoom } from "../store/claim-lanes.ts";
import { FIRST_IN_FLIGHT } from "./endpoint-circuit.ts";

/**
 * How an attempt ended: `poured` where the endpoint took the event and said more than is read. Undefined where it says nothing of
 * its endpoint.
 */
export type AttemptEnd = "delivered" | "failed" | "poured" | undefined;

/** An attempt that ended, and how long its endpoint took. */
export interface EndedAttempt {
  readonly end: AttemptEnd;
  readonly durationMs: number;
}

/** How many deliveries to each subscription are in flight in this worker, and how many may be. */
export interface EndpointRooms {
  /** The rooms of subscriptions that are not as if nothing were known of them. */
  readonly known: () => Iterable<readonly [subscriptionId: string, LaneRoom]>;
  /** Says that lanes are about to be claimed by what is known now. Out: what is to be told of which subscriptions they came. */
  readonly claim: () => (subscriptionIds: readonly string[]) => void;
  /** Whether the last claim filled the room, so that more may be due than it took. */
  readonly mayLackRoom: (subscriptionId: string) => boolean;
  readonly begin: (subscriptionId: string) => void;
  readonly end: (subscriptionId: string, attempt: EndedAttempt) => void;
}

/** The most deliveries to one subscription that are in flight in one worker. */
const MOST_IN_FLIGHT = 64;
/** An endpoint whose last attempt took longer is slow. */
const SLOW_MS = 1_000;
/** Of how many subscriptions without any delivery in flight something is remembered. */
const MOST_IDLE = 1_000;

const FIRST: LaneRoom = { underWay: 0, most: FIRST_IN_FLIGHT, isSlow: false };

/**
 * Starts with 8 at once for each subscription. Each delivery within a second allows one more, up to 64; an attempt that fails or takes
 * longer takes it back to 8, so that an endpoint that hangs or refuses holds few places, and one whose answer had to be broken off to 1.
 *
 * Refuses: never. Source: decisions E2 (in-flight cap with slow start), V25.
 */
export function createEndpointRooms(): EndpointRooms {
  const busy = new Map<string, LaneRoom>();
  const idle = new LRUCache<string, LaneRoom>({ max: MOST_IDLE });
  let filled: ReadonlySet<string> = new Set();
  const roomOf = (id: string): LaneRoom => busy.get(id) ?? idle.get(id) ?? FIRST;
  const note = (id: string, room: LaneRoom): void => {
    busy.delete(id);
    idle.delete(id);
    if (room.underWay > 0) busy.set(id, room);
    else if (room.most !== FIRST.most || room.isSlow) idle.set(id, room);
  };
  const known = () => [...busy, ...idle.entries()];
  return {
    known,
    claim: () => {
      const free = new Map(known().map(([id, { underWay, most }]) => [id, most - underWay]));
      return (ids) => {
        for (const id of ids) free.set(id, (free.get(id) ?? FIRST_IN_FLIGHT) - 1);
        filled = new Set([...free].flatMap(([id, left]) => (left <= 0 ? id : [])));
      };
    },
    mayLackRoom: (id) => filled.has(id),
    begin: (id) => {
      const room = roomOf(id);
      note(id, { ...room, underWay: room.underWay + 1 });
    },
    end: (id, attempt) => {
      const room = roomOf(id);
      note(id, { ...roomAfter(attempt, room), underWay: room.underWay - 1 });
    },
  };
}

function roomAfter({ end, durationMs }: EndedAttempt, { most, isSlow }: LaneRoom): Omit<LaneRoom, "underWay"> {
  if (end === undefined) return { most, isSlow };
  const takesLong = durationMs > SLOW_MS;
  if (end === "poured") return { most: 1, isSlow: takesLong };
  const isQuickDelivery = end === "delivered" && !takesLong;
  return {
    most: isQuickDelivery ? Math.min(most + 1, MOST_IN_FLIGHT) : Math.min(most, FIRST_IN_FLIGHT),
    isSlow: takesLong,
  };
}
