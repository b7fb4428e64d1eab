import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listUnsettled } from "../store/vault-state-rows.ts";
import { finishMove } from "./move-vault.ts";
import { activateReceived, type ReceiveDeps } from "./receive-vault.ts";

const AT_ONCE = 100;
const BY_ITSELF = async (_transaction: Queryable): Promise<void> => undefined;

/**
 * Ends moves whose owner has changed the address at the registry and then vanished: closes a vault here that the registry names
 * elsewhere, and opens one that it names here. Others stay as they are.
 *
 * Out: how many were ended. Refuses: REGISTRY_UNAVAILABLE; the database's errors. Source: decision V18.
 */
export async function settleMoves(deps: ReceiveDeps): Promise<number> {
  let settled = 0;
  for (const { owner, state, movedTo } of await listUnsettled(deps.database, AT_ONCE)) {
    const address = await deps.findAddress(owner);
    const step = { owner, within: BY_ITSELF };
    if (state === "moving" && address === movedTo) await finishMove(deps, step);
    else if (state === "arrived" && address === deps.place()) await activateReceived(deps, step);
    else continue;
    settled += 1;
  }
  return settled;
}
