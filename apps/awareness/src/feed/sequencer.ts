import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { numberEvents } from "../store/feed-rows.ts";

/** Assigns events their places in the feed for as long as it runs. */
export interface Sequencer extends AsyncDisposable {
  /** Reports that events were stored. Without it they are found within a second. */
  readonly wake: () => void;
  /** A number that grows with each look for events without a place, whatever the result, at least every second. */
  readonly looks: () => number;
  /** Waits until the feed may have grown, a second at most, or until the signal. */
  readonly untilGrown: (signal: AbortSignal) => Promise<void>;
}

const POLL_MS = 1_000;
const BATCH = 1_000;
/**
 * The shortest time between two numberings, so that a stream of single events does not cause a stream of numberings.
 */
const GATHER_MS = 50;

/**
 * Starts the sequencer. Any number of processes may run one: they take turns.
 *
 * Refuses: never by itself; a failure is logged and retried. Source: decisions E1, E7.
 */
export function startSequencer({ database, log }: { readonly database: Database; readonly log: Log }): Sequencer {
  let isWanted = false;
  let looks = 0;
  let running: Promise<void> | undefined;
  /** Ends the waits for growth. A wait that ends by itself leaves no listener here or on its signal. */
  const waits = new Set<() => void>();
  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      const numbered = await database.transaction((tx) => numberEvents(tx, BATCH));
      looks += 1;
      if (numbered > 0) for (const end of [...waits]) end();
      if (numbered === BATCH) isWanted = true;
      else await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  };
  const wake = (): void => {
    isWanted = true;
    running ??= run()
      .catch((error) => log.warn({ err: error }, "events could not be numbered for the feed; tried again in a second"))
      .finally(() => {
        looks += 1;
        running = undefined;
      });
  };
  const poll = setInterval(wake, POLL_MS);
  return {
    wake,
    looks: () => looks,
    untilGrown: (signal) => wait(waits, signal),
    [Symbol.asyncDispose]: async () => {
      clearInterval(poll);
      isWanted = false;
      await running;
    },
  };
}

function wait(waits: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      waits.delete(end);
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    waits.add(end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
