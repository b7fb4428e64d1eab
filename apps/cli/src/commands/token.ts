import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

/** `dataspace token <person> <owner>`: a wallet token of a demo person, to call as somebody. Source: decision I4. */
export function addToken(program: Command): void {
  program
    .command("token")
    .description("prints a wallet token of a demo person for one owner's vault; good for 5 minutes and one write")
    .argument("<person>", "eName of the demo person who calls")
    .argument("<owner>", "eName of the vault's owner")
    .option("--json", "prints JSON")
    .action((person: string, owner: string, { json }: { readonly json?: boolean }) =>
      runCommand(async () => {
        const { issueDemoToken } = await import("../issue-demo-token.ts");
        const { printOutcome } = await import("../print-outcome.ts");
        const token = await issueDemoToken(process.env, { person, owner });
        printOutcome({ lines: [token], json: { token } }, json);
      }),
    );
}
