import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { RegistryClient } from "./registry-client.ts";

const MOST_NAMES = 10_000;
const UNKNOWN_MS = 10_000;

/**
 * Makes a `resolve` that asks the registry once at a time for each eName, and keeps for 10 s, for the 10,000 names that were asked last, that
 * the registry knows none: a caller who repeats an unknown name does not cost the registry a request each time.
 *
 * Refuses: as `RegistryClient.resolve`; failures are not kept. Source: decision V25.
 */
export function createCachedResolve(deps: {
  readonly clock: { readonly nowMs: () => number };
  readonly registry: Pick<RegistryClient, "resolve">;
}): RegistryClient["resolve"] {
  const unknown = new LRUCache<EName, true>({
    max: MOST_NAMES,
    ttl: UNKNOWN_MS,
    ttlResolution: 0,
    perf: { now: deps.clock.nowMs },
  });
  const asked = new Map<EName, ReturnType<RegistryClient["resolve"]>>();
  async function ask(ename: EName): ReturnType<RegistryClient["resolve"]> {
    const address = await deps.registry.resolve(ename);
    if (address === undefined) unknown.set(ename, true);
    return address;
  }
  return async (ename) => {
    if (unknown.has(ename)) return undefined;
    const running = asked.get(ename) ?? ask(ename).finally(() => asked.delete(ename));
    asked.set(ename, running);
    return running;
  };
}
