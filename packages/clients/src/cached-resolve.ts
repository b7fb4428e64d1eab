import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { RegistryClient } from "./registry-client.ts";

const MOST_NAMES = 10_000;
const UNKNOWN_MS = 10_000;

/**
 * Makes a `resolve` with at most one request to the registry in flight per eName. It caches unknown names for 10 s, the
 * 10,000 most recent ones, so that a caller who repeats an unknown name does not cost the registry a request each time.
 *
 * Refuses: as `RegistryClient.resolve`; failures are not cached.
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
