import { LRUCache } from "lru-cache";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { RejectionCode } from "../events/ingested-event.ts";

/**
 * Finds the owners whose events a vault service may not send. In: the origin of the service. Out: the reason by owner;
 * owners of the service are left out.
 */
export type CheckOwners = (vaultOrigin: string, owners: readonly EName[]) => Promise<ReadonlyMap<EName, RejectionCode>>;

const MAX_ANSWERS = 50_000;
const ANSWER_MS = 600_000;
const AT_ONCE = 8;
/**
 * The limit on repeated questions about owners that a service does not have, so that it cannot use up the registry's
 * rate limit.
 */
const REPEATS_PER_MINUTE = 600;
const MINUTE_MS = 60_000;

/**
 * Makes the check by the registry's answers, each of which is cached for 10 minutes. On a mismatch the registry is
 * asked again, at most 600 times a minute for one service, so that an owner whose vault has moved is served at once.
 *
 * Refuses: never; an owner about whom the registry does not answer is REGISTRY_UNAVAILABLE. Source: decision E5.
 */
export function createCheckOwners(deps: {
  readonly clock: Clock;
  readonly resolve: RegistryClient["resolve"];
}): CheckOwners {
  const { clock, resolve } = deps;
  const origins = new LRUCache<EName, string>({
    max: MAX_ANSWERS,
    ttl: ANSWER_MS,
    ttlResolution: 0,
    perf: { now: clock.nowMs },
  });
  const repeats = new Map<string, { readonly minute: number; readonly count: number }>();
  const ask = async (owner: EName): Promise<string> => {
    const address = await resolve(owner);
    const origin = address === undefined ? "" : new URL(address.uri).origin;
    origins.set(owner, origin);
    return origin;
  };
  const mayRepeat = (vaultOrigin: string): boolean => {
    const minute = Math.floor(clock.nowMs() / MINUTE_MS);
    const known = repeats.get(vaultOrigin);
    const count = known?.minute === minute ? known.count + 1 : 1;
    repeats.set(vaultOrigin, { minute, count });
    return count <= REPEATS_PER_MINUTE;
  };
  const check = async (vaultOrigin: string, owner: EName): Promise<RejectionCode | undefined> => {
    try {
      const known = origins.get(owner);
      if (known === vaultOrigin) return undefined;
      if (known !== undefined && !mayRepeat(vaultOrigin)) return "NOT_YOUR_OWNER";
      return (await ask(owner)) === vaultOrigin ? undefined : "NOT_YOUR_OWNER";
    } catch {
      return "REGISTRY_UNAVAILABLE";
    }
  };
  return async (vaultOrigin, owners) => {
    const left = [...new Set(owners)];
    const rejected = new Map<EName, RejectionCode>();
    const work = async (): Promise<void> => {
      for (let owner = left.pop(); owner !== undefined; owner = left.pop()) {
        const code = await check(vaultOrigin, owner);
        if (code !== undefined) rejected.set(owner, code);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return rejected;
  };
}
