import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/** `dataspace config`: the effective settings of services, secrets masked. Source: decisions P5, P7. */
export function addConfig(program: Command): void {
  program
    .command("config")
    .description("shows the effective settings of each service, and where each comes from; secrets are masked")
    .argument("[services...]", "the services; all without names")
    .option("--json", "prints JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  dataspace config vault\n  dataspace config --json\n\nExits with 78 when a named service could not start with its settings.",
    )
    .action((services: readonly string[], options: { readonly json?: true }) =>
      runCommand(async () => {
        const [{ showConfig }, { printOutcome }] = await Promise.all([
          import("../operate/show-config.ts"),
          import("../print-outcome.ts"),
        ]);
        const result = showConfig(services, process.env);
        printOutcome(result, options.json);
        if (result.isFaulty) process.exitCode = 78;
      }),
    );
}
