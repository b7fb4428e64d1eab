import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/** `dataspace verification issue`: issues a code with which one new vault can be created. Source: decision V17. */
export function addVerification(program: Command): void {
  program
    .command("verification")
    .description("verification codes for new vaults")
    .command("issue")
    .description("makes a single-use code and prints it; also while `npm start` is running")
    .option("--json", "prints JSON")
    .action(({ json }: { readonly json?: boolean }) =>
      runCommand(async () => {
        const { issueVerification } = await import("../issue-code.ts");
        const { withConfiguredDatabase } = await import("../configured-database.ts");
        const report = (line: string) => console.error(line);
        const { printOutcome } = await import("../print-outcome.ts");
        const code = await withConfiguredDatabase(process.env, { report }, issueVerification);
        printOutcome({ lines: [code], json: { code } }, json);
      }),
    );
}
