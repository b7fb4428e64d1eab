import type { Command } from "commander";

/** `dataspace provisioner`: the standalone provisioner, on the vault's database. Source: decision P5. */
export function addProvisioner(program: Command): void {
  program
    .command("provisioner")
    .description("one provisioner, for production, on the database of the vault")
    .action(async () => {
      const [{ runAlone }, { startProvisioner }, { createProvisionedVault }, { vaultMigrations }] = await Promise.all([
        import("../run-alone.ts"),
        import("@dataspace/provisioner/main"),
        import("@dataspace/vault/provisioning"),
        import("@dataspace/vault/migrations"),
      ]);
      const vaultSide = { createVault: createProvisionedVault, migrations: vaultMigrations };
      await runAlone("provisioner", (env, abort) => startProvisioner(env, vaultSide, abort));
    });
}
