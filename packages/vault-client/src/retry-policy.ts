import type { VaultError } from "./vault-error.ts";

/** What a request does: makes something, changes something, or reads. Source: S3 "Vault client rules". */
export type Act = "store" | "update" | "fetch";

/** How a failed request is repeated. */
export interface RetryPolicy {
  /** Attempts after the first; 3 when absent. */
  readonly retries: number;
  /** The limit of one attempt, in milliseconds; 5,000 when absent. */
  readonly timeoutMs: number;
  /** The HTTP statuses that are repeated; 429 only when the vault says how long to wait. */
  readonly statuses: readonly number[];
}

/** A policy for each act; what is absent is as in the default. */
export type RetryConfig = { readonly [Name in Act]?: Partial<RetryPolicy> };

interface Attempted {
  readonly policy: RetryPolicy;
  /** How many attempts were repeated before this one. */
  readonly repeated: number;
  /** Whether the request may be sent again although the vault may have done it. */
  readonly isSafeToRepeat: boolean;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const DEFAULT: RetryPolicy = { retries: 3, timeoutMs: 5_000, statuses: [429, 500, 502, 503, 504] };
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
const NO_ANSWER = ["VAULT_UNREACHABLE", "VAULT_TIMEOUT"];

/** Completes the policy of one act. Refuses: never. */
export function policyOf(config: RetryConfig | undefined, act: Act): RetryPolicy {
  return { ...DEFAULT, ...config?.[act] };
}

/**
 * Decides how long to wait before a failed request is sent again.
 *
 * Out: milliseconds, or undefined when the failure is final. The wait is what the vault asks for, at most 30 s; else it doubles from
 * 200 ms, and a random half of it is left out, so that callers who failed together do not come back together.
 * Refuses: never. Source: S3 "Vault client rules"; RFC 6585 section 4.
 */
export function decideWait(
  error: VaultError,
  { policy, repeated, isSafeToRepeat, random }: Attempted,
): number | undefined {
  if (repeated >= policy.retries || (error.mayBeWritten && !isSafeToRepeat)) return undefined;
  const isTransient =
    error.status === undefined ? NO_ANSWER.includes(error.code) : policy.statuses.includes(error.status);
  if (!isTransient || (error.status === 429 && error.retryAfterMs === undefined)) return undefined;
  if (error.retryAfterMs !== undefined) {
    return error.retryAfterMs <= LONGEST_WAIT_MS ? error.retryAfterMs : undefined;
  }
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** repeated) * (0.5 + random() / 2);
}
