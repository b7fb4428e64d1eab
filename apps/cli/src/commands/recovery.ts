import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/**
 * `dataspace recovery issue`: issues a code with which an owner who has lost every key adds a new one. Source: decision
 * I6.
 */
export function addRecovery(program: Command): void {
  program
    .command("recovery")
    .description("recovery codes for owners who have lost every key")
    .command("issue")
    .description("makes a single-use code for one owner, good for 24 hours, and prints it")
    .argument("<ename>", "whose code it is: @ and a UUID")
    .option("--json", "prints JSON")
    .action((ename: string, { json }: { readonly json?: boolean }) =>
      runCommand(async () => {
        const { issueRecovery } = await import("../issue-code.ts");
        const { withConfiguredDatabase } = await import("../configured-database.ts");
        const report = (line: string) => console.error(line);
        const issue = (database: Parameters<typeof issueRecovery>[0]) => issueRecovery(database, ename);
        const { printOutcome } = await import("../print-outcome.ts");
        const code = await withConfiguredDatabase(process.env, { report }, issue);
        printOutcome({ lines: [code], json: { ename, code } }, json);
      }),
    );
}
