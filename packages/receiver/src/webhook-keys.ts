import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";

/** The Ed25519 keys with which an awareness service signs. */
export interface WebhookKeys {
  /** The keys published, as they were at most 300 s ago; up to an hour ago while the service does not answer. */
  readonly current: () => Promise<readonly CryptoKey[]>;
  /** Keys newer than those that were tried in vain; undefined when there are none. */
  readonly newerThan: (tried: readonly CryptoKey[]) => Promise<readonly CryptoKey[] | undefined>;
}

/** What asks for keys, and what says how old they are. */
export interface WebhookKeysDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
}

interface Cache {
  keys: readonly CryptoKey[];
  fetchedAtMs: number;
  triedAtMs: number;
  failure: unknown;
  fetching: Promise<void> | undefined;
}

const FRESH_MS = 300_000;
const USABLE_MS = 3_600_000;
// Anybody can send a made-up signature: each must not cost the service a request.
const RETRY_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const MAX_KEYS = 20;

/**
 * Knows the keys that an awareness service publishes as JWKS.
 *
 * In: `keySetUrl`, where they are. Refuses: `current` with UpstreamError when no keys can be had; they are asked for again
 * at most every 30 s, every second while there are none at all.
 * Source: decision E3; RFC 8037 section 2.
 */
export function createWebhookKeys(deps: WebhookKeysDeps, keySetUrl: string): WebhookKeys {
  const never = Number.NEGATIVE_INFINITY;
  const cache: Cache = { keys: [], fetchedAtMs: never, triedAtMs: never, failure: undefined, fetching: undefined };
  const refresh = () => {
    // However many webhooks wait for the keys, the service is asked once.
    cache.fetching ??= fetchKeys(deps, keySetUrl, cache).finally(() => {
      cache.fetching = undefined;
    });
    return cache.fetching;
  };
  return {
    current: async () => {
      if (ageMs(deps, cache) < FRESH_MS) return cache.keys;
      const isUsable = ageMs(deps, cache) < USABLE_MS;
      if (cache.fetching !== undefined || mayRetry(deps, cache, isUsable ? RETRY_MS : FIRST_RETRY_MS)) await refresh();
      if (ageMs(deps, cache) >= USABLE_MS) throw cache.failure;
      return cache.keys;
    },
    newerThan: async (tried) => {
      if (cache.keys === tried && (cache.fetching !== undefined || mayRetry(deps, cache, RETRY_MS))) await refresh();
      return cache.keys === tried ? undefined : cache.keys;
    },
  };
}

function ageMs({ clock }: WebhookKeysDeps, cache: Cache): number {
  return clock.nowMs() - cache.fetchedAtMs;
}

function mayRetry({ clock }: WebhookKeysDeps, cache: Cache, afterMs: number): boolean {
  return clock.nowMs() - cache.triedAtMs >= afterMs;
}

async function fetchKeys({ fetch, clock }: WebhookKeysDeps, keySetUrl: string, cache: Cache): Promise<void> {
  cache.triedAtMs = clock.nowMs();
  try {
    const keys = await readKeys(await fetchJson(fetch, { url: keySetUrl }));
    if (keys.length === 0) throw new UpstreamError("malformed", `${keySetUrl} is not a key set with an Ed25519 key.`);
    cache.keys = keys;
    cache.fetchedAtMs = clock.nowMs();
  } catch (error) {
    cache.failure = error;
  }
}

async function readKeys(document: unknown): Promise<readonly CryptoKey[]> {
  const listed = (document as { readonly keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(listed) || listed.length > MAX_KEYS) return [];
  const keys = await Promise.all(listed.map(readKey));
  return keys.filter((key) => key !== undefined);
}

async function readKey(jwk: unknown): Promise<CryptoKey | undefined> {
  const { kty, crv, use = "sig", x } = (jwk ?? {}) as Readonly<Record<string, unknown>>;
  if (kty !== "OKP" || crv !== "Ed25519" || use !== "sig" || typeof x !== "string") return undefined;
  try {
    return await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]);
  } catch {
    return undefined;
  }
}
