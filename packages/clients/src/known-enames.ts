import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { RegistryClient } from "./registry-client.ts";

/** Decides whether the registry knows a vault of an eName. Refuses: UpstreamError when it does not answer. */
export type IsKnown = (ename: EName) => Promise<boolean>;

const REMEMBERED_NAMES = 10_000;
const REMEMBERED_MS = 60_000;

/** Makes `IsKnown`. Answers are cached for a minute, failures are not. Source: decision V23. */
export function createIsKnown(deps: {
  readonly clock: { readonly nowMs: () => number };
  readonly registry: Pick<RegistryClient, "resolve">;
}): IsKnown {
  const remembered = new LRUCache<EName, boolean>({
    max: REMEMBERED_NAMES,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now: deps.clock.nowMs },
  });
  return async (ename) => {
    const answered = remembered.get(ename) ?? (await deps.registry.resolve(ename)) !== undefined;
    remembered.set(ename, answered, { noUpdateTTL: true });
    return answered;
  };
}
