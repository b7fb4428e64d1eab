import type { Clock } from "@dataspace/service-kit/clock";

/** Assigns each new MetaEnvelope its place in creation order: microseconds since the epoch, never the same twice. */
export type CreationOrder = () => number;

/**
 * Starts a creation order that increases with every call, also within a millisecond and when the clock steps back.
 *
 * Source: decision V3.
 */
export function createCreationOrder(clock: Clock): CreationOrder {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.nowMs() * 1_000);
    return last;
  };
}
