import { type CachedKeys, createCachedKeys } from "@dataspace/clients/cached-keys";
import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { isVerificationJwk } from "@dataspace/protocol/verification-jwk";

/** The Ed25519 keys with which an awareness service signs. */
export type WebhookKeys = CachedKeys<readonly CryptoKey[]>;

/** The `fetch` that requests keys, and the clock that dates them. */
export interface WebhookKeysDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
}

const MAX_KEYS = 20;

/**
 * Fetches and caches the keys that an awareness service publishes as JWKS, as `createCachedKeys` does.
 *
 * In: `keySetUrl`, their address. Refuses: UpstreamError when keys are needed and not available.
 * Source: decision E3; RFC 8037 section 2.
 */
export function createWebhookKeys({ fetch, clock }: WebhookKeysDeps, keySetUrl: string): WebhookKeys {
  const ask = async (): Promise<readonly CryptoKey[]> => {
    const keys = await readKeys(await fetchJson(fetch, { url: keySetUrl }));
    if (keys.length > 0) return keys;
    throw new UpstreamError("malformed", `${keySetUrl} is not a key set with an Ed25519 key.`);
  };
  return createCachedKeys({ clock, ask });
}

async function readKeys(document: unknown): Promise<readonly CryptoKey[]> {
  const listed = (document as { readonly keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(listed) || listed.length > MAX_KEYS) return [];
  const keys = await Promise.all(listed.map(readKey));
  return keys.filter((key) => key !== undefined);
}

async function readKey(jwk: unknown): Promise<CryptoKey | undefined> {
  const members = (jwk ?? {}) as Readonly<Record<string, unknown>>;
  const { kty, crv, x } = members;
  if (kty !== "OKP" || crv !== "Ed25519" || !isVerificationJwk(members) || typeof x !== "string") return undefined;
  try {
    return await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", true, ["verify"]);
  } catch {
    return undefined;
  }
}
