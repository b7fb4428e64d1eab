import type { Clock } from "../clock.ts";
import type { Database } from "../postgres/database.ts";
import {
  type KeyPlace,
  type PublishedJwk,
  type RememberedKey,
  rememberSigningKey,
  WITHDRAWN_AT_MS,
} from "./key-rows.ts";

/** The public keys that verify everything that this service signed. */
export interface KeySet {
  readonly read: () => { readonly keys: readonly PublishedJwk[] };
}

// Platform tokens and certificates are valid for at most a year, so the key that signed the last one is needed for
// another year.
const RETIRED_KEY_KEPT_MS = 366 * 24 * 3600 * 1000;
// Verifiers refuse a longer set.
const MAX_PUBLISHED_KEYS = 20;

/**
 * Opens a service's key set: records the key that signs from now on, and retires the previous one.
 *
 * In: the operator's keys, the signing one first. Out: a set with the operator's keys that are not withdrawn and, for a year after their
 * retirement, earlier signing keys; at most 20, the longest retired left out first.
 * Refuses: throws a StartupError when the signing key's `kid` belonged to another key before, or is withdrawn.
 * Source: S1 "Authentication" (certificates are checked against this set); decision X2.
 */
export async function openKeySet(
  deps: { readonly database: Database; readonly clock: Clock },
  place: KeyPlace,
  configured: readonly [PublishedJwk, ...PublishedJwk[]],
): Promise<KeySet> {
  const [signing] = configured;
  const remembered = await rememberSigningKey({ ...deps, nowMs: deps.clock.nowMs() }, place, signing);
  return { read: () => ({ keys: selectKeys(configured, remembered, deps.clock.nowMs()) }) };
}

function selectKeys(
  configured: readonly PublishedJwk[],
  remembered: readonly RememberedKey[],
  nowMs: number,
): readonly PublishedJwk[] {
  const configuredKids = new Set(configured.map(({ kid }) => kid));
  const withdrawn = remembered.filter(({ retiredAtMs }) => retiredAtMs === WITHDRAWN_AT_MS).map(({ jwk }) => jwk);
  // By the key itself too: a withdrawn key must not return under another kid.
  const isWithdrawn = ({ kid, x, y }: PublishedJwk) =>
    withdrawn.some((jwk) => jwk.kid === kid || (jwk.x === x && jwk.y === y));
  const retired = remembered
    .filter(
      ({ jwk, retiredAtMs }) => !configuredKids.has(jwk.kid) && nowMs - (retiredAtMs ?? nowMs) < RETIRED_KEY_KEPT_MS,
    )
    .toSorted((one, other) => (other.retiredAtMs ?? nowMs) - (one.retiredAtMs ?? nowMs));
  const published = [...configured, ...retired.map(({ jwk }) => jwk)].filter((jwk) => !isWithdrawn(jwk));
  return published.slice(0, MAX_PUBLISHED_KEYS);
}
