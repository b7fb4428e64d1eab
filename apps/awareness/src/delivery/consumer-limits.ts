import type { ClaimedLane, ConsumerInFlight } from "../store/claim-lanes.ts";

/** The consumer of a claimed lane, and whether its endpoint is slow. */
export type ConsumerLane = Pick<ClaimedLane, "consumerId" | "isSlow">;

/** How many deliveries of each consumer are in flight in this worker. */
export interface ConsumerLimits {
  /** Those of consumers that have any. */
  readonly known: ReadonlyMap<string, ConsumerInFlight>;
  /** Records which lanes were claimed by the current counts, before any of them begins. */
  readonly claimed: (lanes: readonly ConsumerLane[]) => void;
  /** Whether the last claim reached the consumer's limit, so that more may be due than it claimed. */
  readonly mayHaveMoreDue: (consumerId: string) => boolean;
  readonly begin: (lane: ConsumerLane) => void;
  readonly end: (lane: ConsumerLane) => void;
}

/** The largest number of deliveries of one consumer in one worker: a quarter of its places. */
export const MOST_OF_CONSUMER = 64;
/** The largest number of them to slow endpoints, in all. */
export const MOST_OF_SLOW = 16;

const NONE: ConsumerInFlight = { underWay: 0, slow: 0 };

/**
 * Counts the deliveries of consumers; one without deliveries in flight uses no memory. Refuses: never. Source: decision
 * V25.
 */
export function createConsumerLimits(): ConsumerLimits {
  const known = new Map<string, ConsumerInFlight>();
  let filled: ReadonlySet<string> = new Set();
  return {
    known,
    claimed: (lanes) => {
      const after = new Map(known);
      for (const lane of lanes) change(after, lane, 1);
      filled = new Set([...after].flatMap(([id, inFlight]) => (isFull(inFlight) ? id : [])));
    },
    mayHaveMoreDue: (consumerId) => filled.has(consumerId),
    begin: (lane) => change(known, lane, 1),
    end: (lane) => change(known, lane, -1),
  };
}

function isFull({ underWay, slow }: ConsumerInFlight): boolean {
  return underWay >= MOST_OF_CONSUMER || slow >= MOST_OF_SLOW;
}

function change(inFlight: Map<string, ConsumerInFlight>, { consumerId, isSlow }: ConsumerLane, by: 1 | -1): void {
  const { underWay, slow } = inFlight.get(consumerId) ?? NONE;
  const changed = { underWay: underWay + by, slow: slow + (isSlow ? by : 0) };
  if (changed.underWay > 0) inFlight.set(consumerId, changed);
  else inFlight.delete(consumerId);
}
