import type { Lane } from "./lane.ts";

/** Lanes to be worked on together. */
export interface LeasedLanes<Leased extends Lane<string>> {
  readonly lanes: readonly Leased[];
  /**
   * Whether their lease surely lasts for so many milliseconds more, on a clock that nobody sets. Ask it right before anything is sent
   * and send nothing when it is false: somebody else may have the lanes by then.
   */
  readonly holdsFor: (ms: number) => boolean;
}

/** The part of a log that a runner writes to. */
export interface LaneLog {
  readonly info: (entry: object, message: string) => void;
  readonly warn: (entry: object, message: string) => void;
}

/** What a runner does: how it claims, and what it does with what it claimed. `monotonicMs` counts up and is never set. */
export interface LaneRunnerDeps<Leased extends Lane<string>> {
  readonly claim: (limit: number) => Promise<readonly Leased[]>;
  /**
   * Works on lanes and settles each of them: done, failed or released. Out: whether to look again at once, because one of them is
   * due again or others waited for its place. What it throws leaves them to their lease.
   */
  readonly work: (leased: LeasedLanes<Leased>) => Promise<boolean>;
  readonly log: LaneLog;
  readonly monotonicMs: () => number;
}

/** How much a runner does at once, and how often it looks. Times in milliseconds. */
export interface LaneRunnerConfig {
  /** The lease that `claim` asks for. */
  readonly leaseMs: number;
  /** How many lanes one piece of work takes at most. */
  readonly batchSize: number;
  /** How many pieces of work run at once at most. */
  readonly concurrency: number;
  /** How long at most until it looks for due lanes when nobody wakes it. */
  readonly pollMs: number;
  /**
   * How far apart two looks are at least, after one that claimed so many lanes, so that what comes close together is claimed
   * together. Less than `pollMs`.
   */
  readonly gatherMs: (claimed: number) => number;
}

/** Lanes being worked on, until it is disposed of: it then claims no more and waits for what is under way. */
export interface LaneRunner extends AsyncDisposable {
  /** Has it look for due lanes now. It costs nothing and may be called at any time. */
  readonly wake: () => void;
  /**
   * A number that grows each time it has looked for due lanes, whatever came of it, and at least every few seconds: while it does
   * not, a question to the database hangs, or all the work that it may do at once.
   */
  readonly looks: () => number;
}

/** After a failed claim the next one waits this long, and each time twice as long, up to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Starts working on lanes: claims what is due, works on it side by side, and looks again when woken, when work ended that left
 * something to do, and after `pollMs` at the latest.
 *
 * A lane is never worked on twice at once here. A database that is down is asked again with growing pauses, and logged once per
 * outage. Refuses: never. Source: decision E1.
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

  // A lane may be claimed again between the moment at which it was settled and that at which its work is seen to have ended.
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
      .catch((error: unknown) => deps.log.warn({ err: error }, "work on lanes broke off; their lease brings them back"))
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
      // Where all that was claimed was not all there is, there is nothing to gather.
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

/** Claiming that does not throw: it counts the failures in a row and says how long to pause because of them. */
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
        if (failures === 0) log.warn({ err: error }, "lanes cannot be claimed; trying again until they can");
        failures += 1;
        return [];
      }
    },
    pauseMs: () => (failures === 0 ? undefined : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS)),
  };
}

/** Sleeps that `wake` ends, unless they ignore it. A `wake` that ended no sleep ends the next one that does not ignore it. */
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

// The database keeps no text with this character.
function nameOf({ key }: Lane<string>): string {
  return Object.values(key).join("\0");
}
