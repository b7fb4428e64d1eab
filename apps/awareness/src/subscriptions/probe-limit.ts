import { Refusal } from "@dataspace/service-kit/http/refusal";
import { LRUCache } from "lru-cache";
import type { Clock } from "@dataspace/service-kit/clock";

/** Counts a challenge or test webhook before it is sent. Refuses: RATE_LIMITED (429) with `Retry-After`. */
export type CountProbe = (consumerId: string, targetUrl: string) => void;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

const WINDOW_MS = 60_000;
const MAX_BUCKETS = 50_000;
/** One consumer can use at most a quarter of a host's limit (decision V25). */
const CONSUMERS_PER_HOST = 4;

/**
 * Makes the limit on challenges and test webhooks: a token bucket for each consumer and one for each target host.
 *
 * In: `probesPerMinute` of one consumer; a host gets four times as many; 0: no limit. Both buckets start full and are
 * stored in this process, at most 50,000 of each. A refused probe takes no token. Source: decisions V21, V25.
 */
export function createCountProbe(
  { clock }: { readonly clock: Clock },
  { probesPerMinute }: { readonly probesPerMinute: number },
): CountProbe {
  if (probesPerMinute === 0) return () => undefined;
  const consumers = createBuckets(probesPerMinute);
  const hosts = createBuckets(probesPerMinute * CONSUMERS_PER_HOST);
  return (consumerId, targetUrl) => {
    const nowMs = clock.nowMs();
    const host = URL.parse(targetUrl)?.hostname ?? "";
    const waitMs = Math.max(consumers.waitMs(consumerId, nowMs), hosts.waitMs(host, nowMs));
    if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000));
    consumers.take(consumerId, nowMs);
    hosts.take(host, nowMs);
  };
}

function createBuckets(capacity: number) {
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  const tokensOf = (key: string, nowMs: number): number => {
    const { tokens, atMs } = buckets.get(key) ?? { tokens: capacity, atMs: nowMs };
    return Math.min(capacity, tokens + (Math.max(0, nowMs - atMs) * capacity) / WINDOW_MS);
  };
  return {
    waitMs: (key: string, nowMs: number): number => ((1 - tokensOf(key, nowMs)) * WINDOW_MS) / capacity,
    take: (key: string, nowMs: number): void => {
      buckets.set(key, { tokens: tokensOf(key, nowMs) - 1, atMs: nowMs });
    },
  };
}

function rateLimited(retryAfterSeconds: number): Refusal {
  const message = `Too many challenges and test webhooks of this consumer or to this host; send the request again in ${retryAfterSeconds} s.`;
  return new Refusal("RATE_LIMITED", message, { status: 429, retryAfterSeconds });
}
