import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findStandingVault } from "../store/vault-state-rows.ts";
import { moved } from "./refuse-writes.ts";

/**
 * Makes a look-up of vaults that names the new place of one that has moved.
 *
 * Refuses: VAULT_MOVED (404). Source: decision V18.
 */
export function createFindOrForward<Vault>(
  database: Queryable,
  findVault: (owner: EName) => Promise<Vault | undefined>,
): (owner: EName) => Promise<Vault | undefined> {
  return async (owner) => {
    const found = await findVault(owner);
    if (found !== undefined) return found;
    const standing = await findStandingVault(database, owner);
    if (standing?.state === "moved") throw moved(standing.movedTo ?? "");
    return undefined;
  };
}
