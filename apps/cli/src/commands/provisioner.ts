import type { Command } from "commander";
import { runAlone } from "../run-alone.ts";

/** `dataspace provisioner`: the provisioner alone, on the vault's database. Source: decision P5. */
export function addProvisioner(program: Command): void {
  program
    .command("provisioner")
    .description("one provisioner, for production, on the database of the vault")
    .action(() =>
      runAlone("provisioner", async (env, abort) => {
        const [{ startProvisioner }, { createProvisionedVault }, { vaultMigrations }] = await Promise.all([
          import("@dataspace/provisioner/main"),
          import("@dataspace/vault/provisioning"),
          import("@dataspace/vault/migrations"),
        ]);
        return await startProvisioner(
          env,
          { createVault: createProvisionedVault, migrations: vaultMigrations },
          abort,
        );
      }),
    );
}
