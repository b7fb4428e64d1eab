import { Argument, type Command } from "commander";
import { runCommand } from "../run-command.ts";

/** `dataspace trigger`: writes an example record, so that its events are sent. Source: stack "Webhook development". */
export function addTrigger(program: Command): void {
  program
    .command("trigger")
    .description("writes an example record into a demo person's vault, so that its events are sent")
    .addArgument(new Argument("[operation]", "how far").choices(["create", "update", "delete"]).default("create"))
    .option("--json", "prints JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  dataspace trigger\n  dataspace trigger delete   creates, updates and deletes\n\nExit codes: 0 done, 1 refused, 69 no answer, 77 credential refused, 78 settings.",
    )
    .action((operation: "create" | "update" | "delete", options: { readonly json?: true }) =>
      runCommand(async () => {
        const [{ triggerEvent }, { printOutcomeOf }, { refusalOfParty: toRefusal }] = await Promise.all([
          import("../webhooks/trigger-event.ts"),
          import("../print-outcome.ts"),
          import("../refusal-of-party.ts"),
        ]);
        const act = async () => {
          const json = await triggerEvent(process.env, operation);
          return { lines: [`${operation} of ${json.id} in the vault of ${json.owner}`], json };
        };
        await printOutcomeOf(act, { asJson: options.json === true, toRefusal });
      }),
    );
}
