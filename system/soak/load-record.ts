/** How one request ended. Times are milliseconds of a clock that counts up. */
export interface Answered {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly succeeded: boolean;
}

/** The requests inside or outside fault windows. */
export interface LoadCount {
  readonly answers: number;
  readonly failures: number;
  /** Upper bounds, in milliseconds; 0 without an answer. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The requests of a run, inside and outside the windows of its faults. A fixed amount of memory for any number. */
export interface LoadRecord {
  readonly add: (answered: Answered) => void;
  /** From now on, requests count as inside. */
  readonly openWindow: () => void;
  /** Requests that start from now on count as outside. */
  readonly closeWindow: (nowMs: number) => void;
  readonly outside: () => LoadCount;
  readonly inside: () => LoadCount;
}

const LONGEST_MS = 5_000;

/**
 * Makes the record of a run. A request counts as outside only where its start and its end lie in the same time between two
 * windows. Refuses: never.
 */
export function createLoadRecord(): LoadRecord {
  const outside = createCount();
  const inside = createCount();
  let isOpen = false;
  let closedMs = Number.NEGATIVE_INFINITY;
  return {
    add: (answered) => (isOpen || answered.startedMs < closedMs ? inside : outside).add(answered),
    openWindow: () => {
      isOpen = true;
    },
    closeWindow: (nowMs) => {
      isOpen = false;
      closedMs = nowMs;
    },
    outside: outside.read,
    inside: inside.read,
  };
}

function createCount() {
  const byMs = new Uint32Array(LONGEST_MS + 1);
  let answers = 0;
  let failures = 0;
  const percentile = (share: number): number => {
    let seen = 0;
    return Math.max(
      0,
      byMs.findIndex((count) => {
        seen += count;
        return count > 0 && seen >= share * answers;
      }),
    );
  };
  return {
    add: ({ startedMs, endedMs, succeeded }: Answered): void => {
      answers += 1;
      if (!succeeded) failures += 1;
      const slot = Math.min(LONGEST_MS, Math.ceil(endedMs - startedMs));
      byMs[slot] = (byMs[slot] ?? 0) + 1;
    },
    read: (): LoadCount => ({ answers, failures, p50Ms: percentile(0.5), p95Ms: percentile(0.95) }),
  };
}
