/** What follows a failed attempt: another one at `atMs`, or none. Milliseconds since the epoch (UTC). */
export type AfterFailure = { readonly kind: "retry"; readonly atMs: number } | { readonly kind: "dead" };

/** A failed attempt: its number from 1, the time of its failure, its deadline, and the endpoint's requested pause. */
export interface FailedAttempt {
  readonly number: number;
  readonly nowMs: number;
  readonly deadlineMs: number;
  readonly retryAfterMs: number | undefined;
  /** From 0 up to, not including, 1. */
  readonly random: number;
}

const GAP_SECONDS = [
  ...[5, 15, 45, 120, 300, 900, 1800],
  ...[3600, 7200, 10_800, 14_400, 14_400, 14_400, 14_400],
] as const;
const JITTER = 0.2;
/** How long an event is delivered after its receipt. Source: decision E2. */
const DELIVERY_WINDOW_MS = 24 * 3_600_000;
const SHORTEST_LOOK_MS = 30_000;
const LONGEST_LOOK_MS = 1_800_000;

/**
 * Decides what follows a failed attempt. The pause is the table's, shortened by up to a fifth, but never beyond the
 * deadline. After the table's end the next attempt is exactly at the deadline. Nothing follows a failure at the
 * deadline or later.
 *
 * The endpoint's own request lengthens the pause, also at most up to the deadline. Refuses: never. Source: decision E2.
 */
export function decideAfterFailure({ number, nowMs, deadlineMs, retryAfterMs, random }: FailedAttempt): AfterFailure {
  if (nowMs >= deadlineMs) return { kind: "dead" };
  const seconds = GAP_SECONDS[number - 1];
  if (seconds === undefined) return { kind: "retry", atMs: deadlineMs };
  const gapMs = Math.max(Math.ceil(seconds * 1000 * (1 - JITTER * random)), retryAfterMs ?? 0);
  return { kind: "retry", atMs: Math.min(nowMs + gapMs, deadlineMs) };
}

/**
 * Decides when to look again at a delivery whose access is not known: after as long as it has waited already, at least
 * 30 s and at most 30 min, and exactly at the deadline.
 *
 * Out: undefined at the deadline or later. Refuses: never. Source: decisions E2, E4.
 */
export function decideNextLook(nowMs: number, deadlineMs: number): number | undefined {
  if (nowMs >= deadlineMs) return undefined;
  const waitedMs = DELIVERY_WINDOW_MS - (deadlineMs - nowMs);
  const pauseMs = Math.min(Math.max(waitedMs, SHORTEST_LOOK_MS), LONGEST_LOOK_MS);
  return Math.min(nowMs + pauseMs, deadlineMs);
}

/**
 * Returns the table's pause after attempt `number`, in milliseconds; after its end the last one. Refuses: never.
 * Source: decision E2.
 */
export function longestGapMs(number: number): number {
  return (GAP_SECONDS[Math.min(number, GAP_SECONDS.length) - 1] ?? GAP_SECONDS[0]) * 1000;
}
