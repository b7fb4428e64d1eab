import { LRUCache } from "lru-cache";
import type { InFlight } from "../store/claim-lanes.ts";
import { FIRST_IN_FLIGHT } from "./endpoint-circuit.ts";

/**
 * How an attempt ended: `oversized` where the endpoint took the event and answered more than is read. Undefined where
 * it says nothing about its endpoint.
 */
export type AttemptEnd = "delivered" | "failed" | "oversized" | undefined;

/** An attempt that ended, and how long its endpoint took. */
export interface EndedAttempt {
  readonly end: AttemptEnd;
  readonly durationMs: number;
}

/** How many deliveries to each subscription are in flight in this worker, and how many may be. */
export interface InFlightLimits {
  /** The subscriptions that differ from one without any attempt. */
  readonly known: () => Iterable<readonly [subscriptionId: string, InFlight]>;
  /** Records that a claim begins with the current limits. Out: call it with the subscriptions of the claimed lanes. */
  readonly claim: () => (subscriptionIds: readonly string[]) => void;
  /** Whether the last claim reached the limit, so that more may be due than it claimed. */
  readonly mayHaveMoreDue: (subscriptionId: string) => boolean;
  readonly begin: (subscriptionId: string) => void;
  readonly end: (subscriptionId: string, attempt: EndedAttempt) => void;
}

/** The largest number of deliveries to one subscription in flight in one worker. */
const MOST_IN_FLIGHT = 64;
/** An endpoint whose last attempt took longer is slow. */
const SLOW_MS = 1_000;
/** How many subscriptions without any delivery in flight are remembered. */
const MOST_IDLE = 1_000;

const FIRST: InFlight = { underWay: 0, most: FIRST_IN_FLIGHT, isSlow: false };

/**
 * Starts with 8 at once for each subscription. Each delivery within a second allows one more, up to 64. An attempt that
 * fails or takes longer resets the limit to 8, so that an endpoint that hangs or refuses occupies few places. An
 * oversized answer resets it to 1.
 *
 * Refuses: never. Source: decisions E2 (in-flight cap with slow start), V25.
 */
export function createInFlightLimits(): InFlightLimits {
  const busy = new Map<string, InFlight>();
  const idle = new LRUCache<string, InFlight>({ max: MOST_IDLE });
  let filled: ReadonlySet<string> = new Set();
  const inFlightOf = (id: string): InFlight => busy.get(id) ?? idle.get(id) ?? FIRST;
  const note = (id: string, inFlight: InFlight): void => {
    busy.delete(id);
    idle.delete(id);
    if (inFlight.underWay > 0) busy.set(id, inFlight);
    else if (inFlight.most !== FIRST.most || inFlight.isSlow) idle.set(id, inFlight);
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
    mayHaveMoreDue: (id) => filled.has(id),
    begin: (id) => {
      const inFlight = inFlightOf(id);
      note(id, { ...inFlight, underWay: inFlight.underWay + 1 });
    },
    end: (id, attempt) => {
      const inFlight = inFlightOf(id);
      note(id, { ...inFlightAfter(attempt, inFlight), underWay: inFlight.underWay - 1 });
    },
  };
}

function inFlightAfter({ end, durationMs }: EndedAttempt, { most, isSlow }: InFlight): Omit<InFlight, "underWay"> {
  if (end === undefined) return { most, isSlow };
  const takesLong = durationMs > SLOW_MS;
  if (end === "oversized") return { most: 1, isSlow: takesLong };
  const isQuickDelivery = end === "delivered" && !takesLong;
  return {
    most: isQuickDelivery ? Math.min(most + 1, MOST_IN_FLIGHT) : Math.min(most, FIRST_IN_FLIGHT),
    isSlow: takesLong,
  };
}
