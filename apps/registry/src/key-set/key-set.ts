import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type PublishedJwk, type RememberedKey, rememberSigningKey } from "../store/key-rows.ts";

/** The public keys that verify everything that this registry signed. */
export interface KeySet {
  readonly read: () => { readonly keys: readonly PublishedJwk[] };
}

// A platform token is valid for a year, so the key that signed the last one is needed for another year.
const RETIRED_KEY_KEPT_MS = 366 * 24 * 3600 * 1000;
// Verifiers refuse a longer set.
const MAX_PUBLISHED_KEYS = 20;

/**
 * Opens the registry's key set: records the key that signs from now on, and retires the previous one.
 *
 * In: the operator's keys, the signing one first. Out: a set with the operator's keys and, for a year after their
 * retirement, earlier signing keys; at most 20, the longest retired left out first.
 * Refuses: throws a StartupError when the signing key's `kid` belonged to another key before.
 * Source: S1 "Authentication" (certificates are checked against this set); decision X2.
 */
export async function openKeySet(
  deps: { readonly database: Database; readonly clock: Clock },
  configured: readonly [PublishedJwk, ...PublishedJwk[]],
): Promise<KeySet> {
  const [signing] = configured;
  const remembered = await rememberSigningKey(deps.database, signing, deps.clock.nowMs());
  return { read: () => ({ keys: selectKeys(configured, remembered, deps.clock.nowMs()) }) };
}

function selectKeys(
  configured: readonly PublishedJwk[],
  remembered: readonly RememberedKey[],
  nowMs: number,
): readonly PublishedJwk[] {
  const configuredKids = new Set(configured.map(({ kid }) => kid));
  const retired = remembered
    .filter(
      ({ jwk, retiredAtMs }) => !configuredKids.has(jwk.kid) && nowMs - (retiredAtMs ?? nowMs) < RETIRED_KEY_KEPT_MS,
    )
    .toSorted((one, other) => (other.retiredAtMs ?? nowMs) - (one.retiredAtMs ?? nowMs));
  return [...configured, ...retired.map(({ jwk }) => jwk)].slice(0, MAX_PUBLISHED_KEYS);
}
