/** How long clients rest between their requests. */
export interface Pace {
  readonly restMs: (tookMs: number) => number;
  /** From now on the clients together send this many requests a second. */
  readonly set: (requestsPerSecond: number) => void;
}

/** Makes a pace for a number of clients, each with one request at a time; they do not rest until it is set. Refuses: never. */
export function createPace(clients: number): Pace {
  let everyMs = 0;
  return {
    restMs: (tookMs) => Math.max(0, everyMs - tookMs),
    set: (requestsPerSecond) => {
      everyMs = (clients * 1_000) / requestsPerSecond;
    },
  };
}
