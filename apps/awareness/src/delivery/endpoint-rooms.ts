import type { LaneRoom } from "../store/claim-lanes.ts";
import { FIRST_IN_FLIGHT } from "./endpoint-circuit.ts";

/** What an attempt says of its endpoint, undefined for nothing. */
export type EndpointAnswer = "answered" | "failed" | undefined;

/** How many deliveries to each subscription are under way in this worker, and how many may be. */
export interface EndpointRooms {
  /** Those of subscriptions that are not as if nothing were known of them. */
  readonly known: ReadonlyMap<string, LaneRoom>;
  readonly begin: (subscriptionId: string) => void;
  readonly end: (subscriptionId: string, answer: EndpointAnswer) => void;
}

/** The most deliveries to one subscription that are under way in one worker. */
const MOST_IN_FLIGHT = 32;

/**
 * Starts with 8 at once for each subscription. Each answer of its endpoint allows one more, up to 32; a failure takes it back to 8,
 * so that an endpoint that hangs holds few places.
 *
 * Refuses: never. Source: decision E2 (in-flight cap with slow start).
 */
export function createEndpointRooms(): EndpointRooms {
  const known = new Map<string, LaneRoom>();
  const roomOf = (id: string): LaneRoom => known.get(id) ?? { underWay: 0, most: FIRST_IN_FLIGHT };
  const note = (id: string, room: LaneRoom): void => {
    if (room.underWay === 0 && room.most === FIRST_IN_FLIGHT) known.delete(id);
    else known.set(id, room);
  };
  return {
    known,
    begin: (id) => {
      const { underWay, most } = roomOf(id);
      note(id, { underWay: underWay + 1, most });
    },
    end: (id, answer) => {
      const { underWay, most } = roomOf(id);
      const more = answer === "answered" ? Math.min(most + 1, MOST_IN_FLIGHT) : most;
      note(id, { underWay: underWay - 1, most: answer === "failed" ? FIRST_IN_FLIGHT : more });
    },
  };
}
