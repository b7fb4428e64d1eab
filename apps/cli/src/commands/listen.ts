import { type Command, InvalidArgumentError } from "commander";
import type { Outcome } from "../print-outcome.ts";
import { runCommand } from "../run-command.ts";

interface ListenOptions {
  readonly owner?: readonly string[];
  readonly forwardTo?: string;
  readonly failWith?: number;
  readonly count?: number;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  dataspace listen
  dataspace listen --forward-to http://127.0.0.1:3000/api/webhook
  dataspace listen --fail-with 503        tries out redelivery
  dataspace listen --count 1 --json       ends after one event

DS_AWARENESS_URL names the awareness service (http://127.0.0.1:4100), DS_AWARENESS_API_KEY an API key of it; the
development stack needs none. Ctrl-C ends the subscription.

Exit codes: 0 done, 1 refused, 69 no answer, 77 credential refused, 78 settings.`;

/** `dataspace listen`: receives webhooks on this machine, verifies and prints them. Source: stack "Webhook development". */
export function addListen(program: Command): void {
  program
    .command("listen")
    .description("receives webhooks on this machine, verifies each and prints its event")
    .option("--owner <ename...>", "only events of these vaults")
    .option("--forward-to <url>", "sends each verified webhook on, and answers as that address does")
    .option("--fail-with <status>", "answers every event with this status", readStatus)
    .option("--count <n>", "ends after n events", readCount)
    .option("--json", "prints each event as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: ListenOptions) =>
      runCommand(async () => {
        const [{ printOutcomeOf }, { refusalOfParty: toRefusal }] = await Promise.all([
          import("../print-outcome.ts"),
          import("../refusal-of-party.ts"),
        ]);
        await printOutcomeOf(() => listen(options), { asJson: options.json === true, toRefusal });
      }),
    );
}

async function listen(options: ListenOptions): Promise<Outcome> {
  const [{ listenToWebhooks }, { readAwarenessApi }, { printOutcome }, { printable }] = await Promise.all([
    import("../webhooks/listen-to-webhooks.ts"),
    import("../webhooks/read-awareness-api.ts"),
    import("../print-outcome.ts"),
    import("../printable.ts"),
  ]);
  const ended = Promise.withResolvers<void>();
  process.once("SIGINT", () => ended.resolve()).once("SIGTERM", () => ended.resolve());
  let left = options.count ?? Number.POSITIVE_INFINITY;
  await using listener = await listenToWebhooks({
    api: readAwarenessApi(process.env),
    owners: options.owner ?? [],
    forwardTo: options.forwardTo,
    failWith: options.failWith,
    onEvent: (event) => {
      const line = `${event.operation} ${event.id} version ${event.streamVersion} of ${event.dsid}: ${JSON.stringify(event.data)}`;
      printOutcome({ lines: [line], json: event }, options.json);
      left -= 1;
      // The answer to this event is still to be sent.
      if (left <= 0) setTimeout(() => ended.resolve(), 100);
    },
    onError: (message) => console.error(printable(message)),
  });
  console.error(printable(`Subscription ${listener.subscriptionId} sends to ${listener.targetUrl}`));
  console.error(`Signing secret: ${listener.secret}`);
  await ended.promise;
  return { lines: [], json: undefined };
}

function readStatus(text: string): number {
  if (/^[45]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a status from 400 to 599.");
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1 on.");
}
