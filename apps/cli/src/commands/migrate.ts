import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/** `dataspace migrate`: applies the pending migrations of all services, as a step of its own. Source: decision P5. */
export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("applies the pending migrations of the services to DATABASE_URL (or DS_DATA_DIR)")
    .argument("[services...]", "the services whose tables this database holds; all without names")
    .option("--check", "only checks, and exits with 78 when a migration is pending or the schema is newer")
    .option("--json", "prints JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  dataspace migrate\n  dataspace migrate vault provisioner\n  dataspace migrate --check",
    )
    .action((services: readonly string[], options: { readonly check?: true; readonly json?: true }) =>
      runCommand(async () => {
        const [{ withConfiguredDatabase }, { migrateServices }, { chooseServices }, { printOutcome }] =
          await Promise.all([
            import("../configured-database.ts"),
            import("../operate/migrate-services.ts"),
            import("../operate/operated-services.ts"),
            import("../print-outcome.ts"),
          ]);
        const chosen = services.length === 0 ? [] : chooseServices(services, process.env);
        const report = (line: string) => console.error(line);
        const work = (database: Parameters<typeof migrateServices>[0]["database"]) =>
          migrateServices({ database, report }, chosen, options);
        printOutcome(await withConfiguredDatabase(process.env, { report }, work), options.json);
      }),
    );
}
