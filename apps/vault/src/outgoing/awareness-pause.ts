import { type BackOff, backOffMs } from "@dataspace/lanes/back-off";
import type { LaneLog } from "@dataspace/lanes/lane-runner";
import type { Clock } from "@dataspace/service-kit/clock";

/**
 * Whether the awareness service may be contacted now. It is one service for all lanes, so its failures pause all of
 * them.
 */
export interface AwarenessPause {
  /** How many of so many lanes to claim now: all while it answers, none in a pause, one after it. */
  readonly admit: (lanes: number) => number;
  readonly answered: () => void;
  readonly failed: (reason: string) => void;
}

/**
 * Makes the pause that grows with each consecutive failure and ends with the first answer. An outage is logged once.
 *
 * Refuses: never. Source: S1 "Delivery rules" (the vault retries until acknowledged); decision E1.
 */
export function createAwarenessPause(
  { clock, log, random }: { readonly clock: Clock; readonly log: LaneLog; readonly random: () => number },
  backOff: BackOff,
): AwarenessPause {
  let failures = 0;
  let until = 0;
  return {
    admit: (lanes) => {
      if (failures === 0) return lanes;
      // The clock may have been set back; a pause is never longer than the longest.
      until = Math.min(until, clock.nowMs() + backOff.longestMs);
      return clock.nowMs() < until ? 0 : 1;
    },
    answered: () => {
      if (failures > 0) log.info({ failures }, "the awareness service takes events again");
      failures = 0;
    },
    failed: (reason) => {
      if (failures === 0) log.warn({ reason }, "the awareness service takes no events; they wait and are sent again");
      failures += 1;
      until = clock.nowMs() + backOffMs(backOff, failures, random);
    },
  };
}
