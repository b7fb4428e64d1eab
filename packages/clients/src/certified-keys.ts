import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import { askCertifiedKeys, type CertifiedKey, type CertifiedKeysDeps } from "./ask-certified-keys.ts";
import { UpstreamError } from "./upstream-error.ts";

/**
 * Finds the keys that are certified for an eName now; the list may be empty. With `fresh` the cache is not used.
 *
 * Refuses: UpstreamError `refused` with the status 404 for an eName that the registry, or the vault it names, does not
 * know; any other UpstreamError when one of them does not answer.
 */
export type FindCertifiedKeys = (
  ename: EName,
  options?: { readonly fresh?: boolean },
) => Promise<readonly CertifiedKey[]>;

/** Decides whether an error of `FindCertifiedKeys` means that the eName is unknown, so that a retry is pointless. */
export function isUnknownEName(error: unknown): boolean {
  return error instanceof UpstreamError && error.refusal?.status === 404;
}

const MAX_CACHE_MS = 300_000;
const MAX_NAMES = 10_000;

/**
 * Makes the lookup of any eName's keys, with no exception for owners of this vault service: the registry names the vault,
 * the vault lists certificates at `/whois`. Only wallet tokens of these owners are checked with the key log instead, by
 * the vault's `wallet-token.ts`. A certificate counts only if the registry signed it for this eName and it is in
 * force.
 *
 * Out: keys are cached for 300 s, but never beyond the first certificate's expiry. An empty list and failures are not
 * cached. Concurrent calls for one eName share one lookup.
 * Source: S1 "GET /whois", "Key binding certificate"; decisions I4, V16, E6.
 */
export function createCertifiedKeys(deps: CertifiedKeysDeps): FindCertifiedKeys {
  const cached = new LRUCache<EName, readonly CertifiedKey[]>({
    max: MAX_NAMES,
    ttlResolution: 0,
    perf: { now: deps.clock.nowMs },
  });
  const asked = new Map<EName, Promise<readonly CertifiedKey[]>>();

  async function ask(ename: EName): Promise<readonly CertifiedKey[]> {
    // The age counts from the request: a slow answer may describe the state of that time.
    const askedAtMs = deps.clock.nowMs();
    const keys = await askCertifiedKeys(deps, ename);
    const endsAtMs = Math.min(askedAtMs + MAX_CACHE_MS, ...keys.map((key) => key.expiresAtSeconds * 1000));
    const leftMs = Math.floor(endsAtMs - deps.clock.nowMs());
    if (keys.length > 0 && leftMs > 0) cached.set(ename, keys, { ttl: leftMs });
    else cached.delete(ename);
    return keys;
  }

  return (ename, { fresh = false } = {}) => {
    const known = fresh ? undefined : cached.get(ename);
    if (known !== undefined) return Promise.resolve(known);
    const running = asked.get(ename) ?? ask(ename).finally(() => asked.delete(ename));
    asked.set(ename, running);
    return running;
  };
}
