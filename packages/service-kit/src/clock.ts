/** The time, as an argument, so that a test can set it. `nowMs` is milliseconds since the epoch (UTC). */
export interface Clock {
  readonly nowMs: () => number;
}

/** The machine's clock: the only code of a service that reads the current time. */
export const systemClock: Clock = { nowMs: () => Date.now() };
