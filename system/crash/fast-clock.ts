import type { Clock } from "@dataspace/service-kit/clock";

/**
 * The start of a run, in milliseconds since the epoch (UTC), and the speed of its clock as a multiple of the machine's.
 */
export interface FastTime {
  readonly fromMs: number;
  readonly speed: number;
}

/**
 * Makes a clock that runs `speed` times as fast as the machine's, the same in every process: at 10 a lease of 20 s ends
 * after two.
 *
 * So the services run unchanged, with their own leases and pauses. Refuses: never.
 */
export function createFastClock({ fromMs, speed }: FastTime): Clock {
  return { nowMs: () => fromMs + (Date.now() - fromMs) * speed };
}
