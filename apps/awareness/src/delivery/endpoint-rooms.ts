import type { LaneRoom } from "../store/claim-lanes.ts";
import { FIRST_IN_FLIGHT } from "./endpoint-circuit.ts";

/**
 * How an attempt ended: `poured` where the endpoint took the event and said more than is read. Undefined where it says nothing of
 * its endpoint.
 */
export type AttemptEnd = "delivered" | "failed" | "poured" | undefined;

/** How many deliveries to each subscription are under way in this worker, and how many may be. */
export interface EndpointRooms {
  /** Those of subscriptions that are not as if nothing were known of them. */
  readonly known: ReadonlyMap<string, LaneRoom>;
  /** Says that lanes are about to be claimed by what is known now. Out: what is to be told of which subscriptions they came. */
  readonly claim: () => (subscriptionIds: readonly string[]) => void;
  /** Whether the last claim filled the room, so that more may be due than it took. */
  readonly mayLackRoom: (subscriptionId: string) => boolean;
  readonly begin: (subscriptionId: string) => void;
  readonly end: (subscriptionId: string, attempt: AttemptEnd) => void;
}

/** The most deliveries to one subscription that are under way in one worker. */
const MOST_IN_FLIGHT = 64;

/**
 * Starts with 8 at once for each subscription. Each delivery allows one more, up to 64; an attempt that fails, however, takes it back
 * to 8, so that an endpoint that hangs or refuses holds few places, and one whose answer had to be broken off to 1.
 *
 * Refuses: never. Source: decision E2 (in-flight cap with slow start).
 */
export function createEndpointRooms(): EndpointRooms {
  const known = new Map<string, LaneRoom>();
  let filled: ReadonlySet<string> = new Set();
  const roomOf = (id: string): LaneRoom => known.get(id) ?? { underWay: 0, most: FIRST_IN_FLIGHT };
  const note = (id: string, room: LaneRoom): void => {
    if (room.underWay === 0 && room.most === FIRST_IN_FLIGHT) known.delete(id);
    else known.set(id, room);
  };
  return {
    known,
    claim: () => {
      const free = new Map([...known].map(([id, { underWay, most }]) => [id, most - underWay]));
      return (ids) => {
        for (const id of ids) free.set(id, (free.get(id) ?? FIRST_IN_FLIGHT) - 1);
        filled = new Set([...free].flatMap(([id, left]) => (left <= 0 ? id : [])));
      };
    },
    mayLackRoom: (id) => filled.has(id),
    begin: (id) => {
      const { underWay, most } = roomOf(id);
      note(id, { underWay: underWay + 1, most });
    },
    end: (id, attempt) => {
      const { underWay, most } = roomOf(id);
      note(id, { underWay: underWay - 1, most: mostAfter(attempt, most) });
    },
  };
}

function mostAfter(attempt: AttemptEnd, most: number): number {
  if (attempt === "delivered") return Math.min(most + 1, MOST_IN_FLIGHT);
  if (attempt === "failed") return Math.min(most, FIRST_IN_FLIGHT);
  return attempt === "poured" ? 1 : most;
}
