/** The time, as an argument, so that a test can set it. `nowMs` is milliseconds since the epoch (UTC). */
export interface Clock {
  readonly nowMs: () => number;
}

/** The machine's clock. The only place of a service that asks what time it is. */
export const systemClock: Clock = { nowMs: () => Date.now() };
