import { runCommand } from "../run-command.ts";
import type { Command } from "commander";

const EXAMPLES = `
Examples:
  dataspace resend 0193f3c6-0000-7000-8000-000000000000
  dataspace resend 0193f3c6-0000-7000-8000-000000000000 --event 0193f3c6-1111-7000-8000-000000000000
  dataspace resend 0193f3c6-0000-7000-8000-000000000000 --since 2026-11-23T00:00:00Z --dry-run`;

/** `dataspace resend`: delivers dead letters again, or all events since a time. Source: decision E7. */
export function addResend(program: Command): void {
  program
    .command("resend")
    .description("delivers dead letters of a subscription again, or all its events since a time")
    .argument("<subscription>", "the subscription's id")
    .option("--event <id>", "only the dead letter of this event")
    .option("--since <time>", "all events since a time, dead or delivered")
    .option("--dry-run", "with --since: counts only")
    .addHelpText("after", EXAMPLES)
    .action((id: string, options: { readonly event?: string; readonly since?: string; readonly dryRun?: true }) =>
      runCommand(async () => {
        const [{ callAwareness }, { readAwarenessApi }] = await Promise.all([
          import("../webhooks/awareness-api.ts"),
          import("../webhooks/read-awareness-api.ts"),
        ]);
        const { event: eventId, since, dryRun = false } = options;
        const path = `/api/subscriptions/${encodeURIComponent(id)}/${since === undefined ? "redrive" : "replay"}`;
        const body = since === undefined ? { eventId } : { since, dryRun };
        const answer = await callAwareness(readAwarenessApi(process.env), { method: "POST", path, body });
        console.log(JSON.stringify(answer, undefined, 2));
      }),
    );
}
