import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { type KeysByKid, readKeySet } from "./key-set-document.ts";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/** A token whose signature is an issuer's own. Its claims and times are still to be judged by the verifier of its kind. */
export type VerifiedToken = Pick<CompactJws, "header" | "payload">;

/** An issuer's published keys, fetched when needed and kept for a while. */
export interface RemoteKeySet {
  readonly verify: (token: string) => Promise<VerifiedToken>;
}

/** Where the key set is; how long one answer is used (300 s when absent) and may take (5 s when absent). */
export interface RemoteKeySetConfig {
  readonly keySetUrl: string;
  readonly cacheSeconds?: number;
  readonly timeoutMs?: number;
}

interface RemoteKeySetDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
}

interface Cache {
  keys: KeysByKid;
  fetchedAtMs: number;
  triedAtMs: number;
  /** Why the last try failed; undefined when it did not. */
  failure: unknown;
  fetching: Promise<void> | undefined;
}

const DEFAULT_CACHE_SECONDS = 300;
const STALE_LIMIT_MS = 3_600_000;
// Anybody can send a token with a made-up kid: each must not cost the issuer a request.
const RETRY_INTERVAL_MS = 30_000;

/**
 * Makes the verifier of tokens that one issuer signed with ES256.
 *
 * Out: `verify` gives the header and the payload of a token signed by a key that the issuer publishes under the token's
 * `kid`. A key that the issuer no longer publishes is forgotten with the next answer; while the issuer does not answer,
 * the keys known are used for up to an hour.
 * Refuses: ProtocolError INVALID_TOKEN for a token that is malformed, has an unknown `kid` or another signature;
 * UpstreamError when the keys cannot be had.
 * Source: S1 "Authentication" (certificates against the registry's key set); S2 "Settings" (JWKS cache); decision I4.
 */
export function createRemoteKeySet(deps: RemoteKeySetDeps, config: RemoteKeySetConfig): RemoteKeySet {
  const cache: Cache = {
    keys: new Map(),
    fetchedAtMs: Number.NEGATIVE_INFINITY,
    triedAtMs: Number.NEGATIVE_INFINITY,
    failure: undefined,
    fetching: undefined,
  };
  return { verify: (token) => verify(token, (kid) => findKey(deps, config, { cache, kid })) };
}

async function verify(token: string, keyOf: (kid: string) => Promise<CryptoKey | undefined>): Promise<VerifiedToken> {
  const { header, payload, signature, signingInput } = parseCompactJws(token);
  const key = await keyOf(header.kid);
  if (key === undefined) {
    throw new ProtocolError("INVALID_TOKEN", "The token is refused: its kid names no key of the issuer.");
  }
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  if (!(await crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(signingInput)))) {
    throw new ProtocolError("INVALID_TOKEN", "The token is refused: its signature is not the issuer's.");
  }
  return { header, payload };
}

async function findKey(
  deps: RemoteKeySetDeps,
  config: RemoteKeySetConfig,
  { cache, kid }: { readonly cache: Cache; readonly kid: string },
): Promise<CryptoKey | undefined> {
  const nowMs = deps.clock.nowMs();
  const ageMs = nowMs - cache.fetchedAtMs;
  const isFresh = ageMs < (config.cacheSeconds ?? DEFAULT_CACHE_SECONDS) * 1000;
  const usable = ageMs < STALE_LIMIT_MS ? cache.keys.get(kid) : undefined;
  if (isFresh && usable !== undefined) return usable;
  const triedLately = nowMs - cache.triedAtMs < RETRY_INTERVAL_MS;
  if (!(triedLately && ageMs < STALE_LIMIT_MS)) await refresh(deps, config, cache);
  const found = cache.failure === undefined ? cache.keys.get(kid) : usable;
  if (found === undefined && cache.failure !== undefined) throw cache.failure;
  return found;
}

// However many tokens wait for the keys, the issuer is asked once.
function refresh(deps: RemoteKeySetDeps, config: RemoteKeySetConfig, cache: Cache): Promise<void> {
  cache.fetching ??= fetchKeys(deps, config, cache).finally(() => {
    cache.fetching = undefined;
  });
  return cache.fetching;
}

async function fetchKeys(deps: RemoteKeySetDeps, config: RemoteKeySetConfig, cache: Cache): Promise<void> {
  cache.triedAtMs = deps.clock.nowMs();
  try {
    cache.keys = await askForKeys(deps, config);
    cache.fetchedAtMs = deps.clock.nowMs();
    cache.failure = undefined;
  } catch (error) {
    cache.failure = error;
  }
}

async function askForKeys(deps: RemoteKeySetDeps, config: RemoteKeySetConfig): Promise<KeysByKid> {
  const answer = await fetchJson(deps.fetch, {
    url: config.keySetUrl,
    ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
  });
  const keys = await readKeySet(answer);
  if (keys === undefined) throw new UpstreamError("malformed", `${config.keySetUrl} is not a key set for ES256.`);
  return keys;
}
