import type { Log } from "@dataspace/service-kit/log";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listUnsettled, type StandingVault } from "../store/vault-state-rows.ts";
import { createRunInParts } from "./in-parts.ts";
import { finishMove } from "./move-vault.ts";
import { activateReceived, type ReceiveDeps } from "./receive-vault.ts";

const BY_ITSELF = async (_transaction: Queryable): Promise<void> => undefined;

/**
 * Makes runs that end moves whose owner has changed the address at the registry and then vanished: each closes a vault here
 * that the registry names elsewhere, and opens one that it names here. Others stay as they are.
 *
 * Out of a run: how many were ended. Refuses: the database's errors. Source: decision V18.
 */
export function createSettleMoves(deps: ReceiveDeps & { readonly log: Pick<Log, "warn"> }): () => Promise<number> {
  return createRunInParts<Pick<StandingVault, "owner" | "state" | "movedTo">>({
    list: (after, atMost) => listUnsettled(deps.database, { after: after?.owner ?? "", atMost }),
    work: async ({ owner, state, movedTo }) => {
      const address = await deps.findAddress(owner);
      const step = { owner, within: BY_ITSELF };
      if (state === "moving" && address === movedTo) await finishMove(deps, step);
      else if (state === "arrived" && address === deps.place()) await activateReceived(deps, step);
      else return false;
      return true;
    },
    log: deps.log,
    failed: "a move could not be ended now; it will be tried again",
  });
}
