import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { createCachedKeys } from "./cached-keys.ts";
import { type KeysByKid, readKeySet } from "./key-set-document.ts";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/** A token whose signature is valid. The verifier of its kind still has to check claims and times. */
export type VerifiedToken = Pick<CompactJws, "header" | "payload">;

/** An issuer's published keys, fetched when needed and cached. */
export interface RemoteKeySet {
  readonly verify: (token: string | CompactJws) => Promise<VerifiedToken>;
}

/** Where the key set is; how long one answer is used (300 s when absent) and may take (5 s when absent). */
export interface RemoteKeySetConfig {
  readonly keySetUrl: string;
  readonly cacheSeconds?: number;
  readonly timeoutMs?: number;
}

/** Verifies r and s (64 bytes) over the data with an ES256 key. */
export type VerifyEs256 = (key: CryptoKey, data: Uint8Array, raw64: Uint8Array) => boolean | Promise<boolean>;

/** `verifyEs256` is WebCrypto's when absent; node:crypto's takes half the time. */
interface RemoteKeySetDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly verifyEs256?: VerifyEs256;
}

/**
 * Makes the verifier of tokens that one issuer signed with ES256.
 *
 * Out: `verify` returns header and payload of a token that was signed by the published key with the token's `kid`. Keys
 * are cached as in `createCachedKeys`.
 * Refuses: ProtocolError INVALID_TOKEN for a token that is malformed, has an unknown `kid` or a wrong signature;
 * UpstreamError when the keys are not available.
 * Source: S1 "Authentication" (certificates against the registry's key set); S2 "Settings" (JWKS cache); decision I4.
 */
export function createRemoteKeySet(deps: RemoteKeySetDeps, config: RemoteKeySetConfig): RemoteKeySet {
  const ask = () => askForKeys(deps.fetch, config);
  const cached = createCachedKeys({ clock: deps.clock, ask }, { freshSeconds: config.cacheSeconds });
  const findKey = async (kid: string): Promise<CryptoKey | undefined> => {
    const keys = await cached.current();
    return keys.get(kid) ?? (await cached.newerThan(keys))?.get(kid);
  };
  return { verify: (token) => verify(token, findKey, deps.verifyEs256) };
}

/**
 * Makes the verifier of one issuer's tokens from a given key set: nothing is fetched.
 *
 * In: `document`, a JWK set. Refuses: UpstreamError `malformed` for a value that is not a key set for ES256; `verify`
 * as `createRemoteKeySet`.
 * Source: RFC 7517; decision A1.
 */
export async function createGivenKeySet(document: unknown, verifyEs256?: VerifyEs256): Promise<RemoteKeySet> {
  const keys = await readKeySet(document);
  if (keys === undefined) throw new UpstreamError("malformed", "The given document is not a key set for ES256.");
  return { verify: (token) => verify(token, async (kid) => keys.get(kid), verifyEs256) };
}

async function verify(
  token: string | CompactJws,
  keyOf: (kid: string) => Promise<CryptoKey | undefined>,
  verifyEs256: VerifyEs256 = verifyByWebCrypto,
): Promise<VerifiedToken> {
  const jws = typeof token === "string" ? parseCompactJws(token) : token;
  const { header, payload, signature, signingInput } = jws;
  const key = await keyOf(header.kid);
  if (key === undefined) {
    throw new ProtocolError("INVALID_TOKEN", "The token is refused: its kid names no key of the issuer.");
  }
  if (!(await verifyEs256(key, signingInput, signature))) {
    throw new ProtocolError("INVALID_TOKEN", "The token is refused: its signature is not the issuer's.");
  }
  return { header, payload };
}

function verifyByWebCrypto(key: CryptoKey, data: Uint8Array, raw64: Uint8Array): Promise<boolean> {
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  return crypto.subtle.verify(algorithm, key, new Uint8Array(raw64), new Uint8Array(data));
}

async function askForKeys(fetch: Fetch, config: RemoteKeySetConfig): Promise<KeysByKid> {
  const answer = await fetchJson(fetch, {
    url: config.keySetUrl,
    ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
  });
  const keys = await readKeySet(answer);
  if (keys === undefined) throw new UpstreamError("malformed", `${config.keySetUrl} is not a key set for ES256.`);
  return keys;
}
