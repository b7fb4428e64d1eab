import { UpstreamError } from "@dataspace/clients/upstream-error";
import { listUnregistered, markRegistered, type SpentEntropy } from "./entropy-rows.ts";
import { provisionerRefusal } from "./errors.ts";
import type { ProvisionerDeps } from "./provisioner.ts";

type RegistrationDeps = Pick<ProvisionerDeps, "database" | "clock" | "log" | "registry">;

/**
 * Registers a vault at the registry, and records that; repeating it has no further effect.
 *
 * Refuses: ENAME_TAKEN, REGISTRY_UNAVAILABLE. Source: decision V17.
 */
export async function registerVault(deps: RegistrationDeps, vault: SpentEntropy): Promise<void> {
  try {
    await deps.registry.register({ ename: vault.owner, uri: vault.uri, vault: vault.vaultId });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    deps.log.error({ err: error, owner: vault.owner }, "the registry did not take a new vault");
    if (error.refusal?.code === "ENAME_TAKEN") {
      throw provisionerRefusal("ENAME_TAKEN", `${vault.owner} has a vault elsewhere; get new entropy for a new eName.`);
    }
    throw provisionerRefusal(
      "REGISTRY_UNAVAILABLE",
      "The vault is made, but the registry does not know it yet; send the same request again in a while.",
    );
  }
  await markRegistered(deps.database, vault.entropyHash, deps.clock.nowMs());
}

/**
 * Finishes the work that a crash or an outage of the registry interrupted: registers every vault that the registry may
 * not know. It runs at the start. A failure is logged, and retried when its request is repeated or at the next start.
 *
 * Refuses: never because of the registry; rejects when the database does not answer. Source: decision V17.
 */
export async function resumeRegistrations(deps: RegistrationDeps): Promise<void> {
  for (const vault of await listUnregistered(deps.database)) {
    try {
      await registerVault(deps, vault);
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENAME_TAKEN") continue;
      if ((error as { code?: unknown }).code === "REGISTRY_UNAVAILABLE") return;
      throw error;
    }
  }
}
