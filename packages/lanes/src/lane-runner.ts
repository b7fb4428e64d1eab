import type { Lane } from "./lane.ts";

/** Lanes that were claimed together. */
export interface LeasedLanes<Leased extends Lane<string>> {
  readonly lanes: readonly Leased[];
  /**
   * Whether the lease certainly lasts for so many more milliseconds, by a monotonic clock. Check it directly before
   * sending, and send nothing when it is false: another worker may have the lanes then.
   */
  readonly holdsFor: (ms: number) => boolean;
}

/** The part of a log that a runner writes to. */
export interface LaneLog {
  readonly info: (entry: object, message: string) => void;
  readonly warn: (entry: object, message: string) => void;
}

/** How a runner claims lanes, and what it does with them. `monotonicMs` counts up and is never set. */
export interface LaneRunnerDeps<Leased extends Lane<string>> {
  readonly claim: (limit: number) => Promise<readonly Leased[]>;
  /**
   * Works on lanes and settles each: done, failed or released. Out: whether to look again at once, because one of them
   * is due again or others waited for its place. If it throws, the lanes become due when their lease ends.
   */
  readonly work: (leased: LeasedLanes<Leased>) => Promise<boolean>;
  readonly log: LaneLog;
  readonly monotonicMs: () => number;
}

/** How much a runner does at once, and how often it looks. Times in milliseconds. */
export interface LaneRunnerConfig {
  /** The lease that `claim` asks for. */
  readonly leaseMs: number;
  /** The largest number of lanes for one call of `work`. */
  readonly batchSize: number;
  /** The largest number of concurrent calls of `work`. */
  readonly concurrency: number;
  /** The longest time between two looks for due lanes when no wake signal comes. */
  readonly pollMs: number;
  /**
   * The shortest time between two looks after one that claimed so many lanes, so that events that arrive together are
   * claimed together. Less than `pollMs`.
   */
  readonly gatherMs: (claimed: number) => number;
}

/** A running worker. Disposing of it stops further claims and waits for the work in progress. */
export interface LaneRunner extends AsyncDisposable {
  /** Makes it look for due lanes now. It is cheap and may be called at any time. */
  readonly wake: () => void;
  /**
   * A number that grows with each look for due lanes, whatever the result, at least every few seconds. If it does not
   * grow, a database request hangs, or all concurrent work does.
   */
  readonly looks: () => number;
}

/** The pause after a failed claim; it doubles each time up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts working on lanes: claims due lanes and works on them concurrently. It looks again when woken, when finished
 * work left something to do, and after `pollMs` at the latest.
 *
 * It never works on a lane twice at once. It retries a database that is down with growing pauses, and logs each outage
 * once.
 */
export function startLaneRunner<Leased extends Lane<string>>(
  deps: LaneRunnerDeps<Leased>,
  config: LaneRunnerConfig,
): LaneRunner {
  const alarm = createAlarm();
  const looking = createLook(deps);
  const atWork = new Map<string, Promise<void>>();
  let pieces = 0;
  let leftOthers = false;
  let stopped = false;
  let looks = 0;

  async function look(): Promise<number> {
    const free = (config.concurrency - pieces) * config.batchSize;
    leftOthers = free <= 0;
    if (free <= 0) return 0;
    const claimedAtMs = deps.monotonicMs();
    const claimed = await looking.claim(free);
    looks += 1;
    leftOthers = claimed.length >= free;
    const holdsFor = (ms: number) => claimedAtMs + config.leaseMs - deps.monotonicMs() >= ms;
    const others: Leased[] = [];
    for (const lane of claimed) {
      if (atWork.has(nameOf(lane))) start({ lanes: [lane], holdsFor });
      else others.push(lane);
    }
    for (let from = 0; from < others.length; from += config.batchSize) {
      start({ lanes: others.slice(from, from + config.batchSize), holdsFor });
    }
    return claimed.length;
  }

  // A lane may be claimed again between its settlement and the moment when its work is seen to have ended.
  async function workInTurn(
    leased: LeasedLanes<Leased>,
    earlier: readonly (Promise<void> | undefined)[],
  ): Promise<void> {
    await Promise.all(earlier);
    if (leased.holdsFor(0) && (await deps.work(leased))) alarm.wake();
  }

  function start(leased: LeasedLanes<Leased>): void {
    pieces += 1;
    const names = leased.lanes.map(nameOf);
    const earlier = names.map((name) => atWork.get(name));
    const done = workInTurn(leased, earlier)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, "work on lanes failed; they are due again when their lease ends"),
      )
      .finally(() => {
        pieces -= 1;
        for (const name of names) if (atWork.get(name) === done) atWork.delete(name);
        if (leftOthers) alarm.wake();
      });
    for (const name of names) atWork.set(name, done);
  }

  async function run(): Promise<void> {
    while (!stopped) {
      const claimed = await look();
      // If more lanes are due than were claimed, there is no reason to gather.
      const gatherMs = leftOthers ? 0 : config.gatherMs(claimed);
      await alarm.sleep(looking.pauseMs() ?? gatherMs, { ignoreWakeUps: true });
      if (looking.pauseMs() === undefined) await alarm.sleep(config.pollMs - gatherMs, { ignoreWakeUps: false });
    }
    await Promise.all(atWork.values());
  }

  const running = run();
  return {
    wake: alarm.wake,
    looks: () => looks,
    [Symbol.asyncDispose]: () => {
      stopped = true;
      alarm.stop();
      return running;
    },
  };
}

/** A claim that does not throw: it counts consecutive failures and returns the pause that they require. */
function createLook<Leased extends Lane<string>>({ claim, log }: LaneRunnerDeps<Leased>) {
  let failures = 0;
  return {
    claim: async (limit: number): Promise<readonly Leased[]> => {
      try {
        const claimed = await claim(limit);
        if (failures > 0) log.info({ failures }, "lanes can be claimed again");
        failures = 0;
        return claimed;
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, "lanes cannot be claimed; retrying");
        failures += 1;
        return [];
      }
    },
    pauseMs: () => (failures === 0 ? undefined : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)),
  };
}

/**
 * Sleeps that `wake` ends, unless they ignore it. A wake while nothing sleeps, or during a sleep that ignores it, is
 * remembered and ends the next sleep that does not ignore it.
 */
function createAlarm() {
  let isWoken = false;
  let stopped = false;
  let end = () => {};
  let isWakeable = false;
  return {
    wake: () => {
      isWoken = true;
      if (isWakeable) end();
    },
    stop: () => {
      stopped = true;
      end();
    },
    sleep: async (ms: number, { ignoreWakeUps }: { readonly ignoreWakeUps: boolean }): Promise<void> => {
      if (stopped || (isWoken && !ignoreWakeUps)) {
        if (!ignoreWakeUps) isWoken = false;
        return;
      }
      isWakeable = !ignoreWakeUps;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      isWakeable = false;
      if (!ignoreWakeUps) isWoken = false;
    },
  };
}

// NUL separates the parts: PostgreSQL text cannot hold it, so names are unambiguous.
function nameOf({ key }: Lane<string>): string {
  return Object.values(key).join("\0");
}
