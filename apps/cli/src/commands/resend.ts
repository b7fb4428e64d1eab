import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

interface ResendOptions {
  readonly event?: string;
  readonly since?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  dataspace resend 0193f3c6-0000-7000-8000-000000000000
  dataspace resend 0193f3c6-0000-7000-8000-000000000000 --event 0193f3c6-1111-7000-8000-000000000000
  dataspace resend 0193f3c6-0000-7000-8000-000000000000 --since 2026-11-23T00:00:00Z --dry-run

Exit codes: 0 done, 1 refused, 69 no answer, 77 credential refused, 78 settings.`;

/** `dataspace resend`: delivers dead letters again, or all events since a time. Source: decision E7. */
export function addResend(program: Command): void {
  program
    .command("resend")
    .description("delivers dead letters of a subscription again, or all its events since a time")
    .argument("<subscription>", "the subscription's id")
    .option("--event <id>", "only the dead letter of this event")
    .option("--since <time>", "all events since a time, dead or delivered")
    .option("--dry-run", "with --since: counts only")
    .option("--json", "prints JSON")
    .addHelpText("after", EXAMPLES)
    .action((id: string, options: ResendOptions) =>
      runCommand(async () => {
        const [{ resend }, { printOutcomeOf }, { refusalOfParty: toRefusal }] = await Promise.all([
          import("../webhooks/resend.ts"),
          import("../print-outcome.ts"),
          import("../refusal-of-party.ts"),
        ]);
        await printOutcomeOf(() => resend(process.env, id, options), { asJson: options.json === true, toRefusal });
      }),
    );
}
