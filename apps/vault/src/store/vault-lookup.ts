import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findVault, type Vault } from "./vault-rows.ts";

const REMEMBERED_VAULTS = 50_000;
/** So a vault that has moved is served here for five seconds at most. */
const REMEMBERED_MS = 5_000;

/**
 * Makes the look-up of vaults that every request begins with. A found vault is cached for five seconds; a missing one is
 * looked up again, so a vault that was just created elsewhere is found at once.
 *
 * Source: decision V2.
 */
export function createVaultLookup(deps: {
  readonly database: Queryable;
  readonly clock: Clock;
}): (owner: EName) => Promise<Vault | undefined> {
  const remembered = new LRUCache<EName, Vault>({
    max: REMEMBERED_VAULTS,
    ttl: REMEMBERED_MS,
    perf: { now: deps.clock.nowMs },
  });
  return async (owner) => {
    const known = remembered.get(owner);
    if (known !== undefined) return known;
    const found = await findVault(deps.database, owner);
    if (found !== undefined) remembered.set(owner, found);
    return found;
  };
}
