import { type Command, InvalidArgumentError } from "commander";
import type { Outcome } from "../print-outcome.ts";
import { runCommand } from "../run-command.ts";

type Actions = typeof import("../deployment-actions.ts");

const DIRECTORY = ".dataspace-deployment";
const WAIT_SECONDS = 300;

/** `dataspace deployment`: a platform proves which release it runs, step by step. Source: S3 "Platform authentication"; decision A1. */
export function addDeployment(program: Command): void {
  const deployment = program
    .command("deployment")
    .description("a deployment of a platform: its key, certificate, handshakes and calls");
  const add = (name: string, says: string): Command =>
    deployment
      .command(name)
      .description(says)
      .option("--dir <directory>", "where the deployment's state is", DIRECTORY)
      .option("--json", "print one JSON object");
  const signed = (command: Command): Command =>
    command
      .requiredOption("--by <ename>", "the person who signs")
      .option("--signature <text>", "a signature that was made elsewhere")
      .option("--wallet-key <file>", "sign with this private JWK")
      .option("--wait <seconds>", "how long to wait for the wallet", readSeconds, WAIT_SECONDS);
  add("create-key", "makes the deployment's key, and stores what it runs")
    .requiredOption("--release <file>", "the release, as release.json describes it")
    .requiredOption("--name <text>", "the deployment's name")
    .option("--environment <text>", "where it runs", "production")
    .option("--deployment <ename>", "its eName; a new one when absent")
    .option("--registry <url>", "the registry", "http://127.0.0.1:4321")
    .option("--authority <url>", "the certifying authority", "http://127.0.0.1:4300")
    .action(run("createKey"));
  signed(add("authorise", "has a person's wallet sign the deployment's key and release")).action(run("authoriseKey"));
  signed(add("submit", "has the author sign the release, and sends it to the authority")).action(run("submitRelease"));
  add("fetch", "waits for the authority's decision, and stores the certificate")
    .option("--wait <seconds>", "how long to wait for the decision", readSeconds, WAIT_SECONDS)
    .action(run("fetchEvidence"));
  add("handshake", "proves the deployment to a vault, and prints the six links")
    .requiredOption("--vault <ename>", "the owner of the vault")
    .action(run("shakeHands"));
  add("call", "sends a GraphQL request to a vault with DPoP")
    .requiredOption("--vault <ename>", "the owner of the vault")
    .requiredOption("--query <text>", "the GraphQL document")
    .option("--variables <json>", "its variables", "{}")
    .action(run("callVault"));
}

function run<Name extends keyof Actions>(name: Name) {
  return (options: Parameters<Actions[Name]>[0] & { readonly json?: boolean }): Promise<void> =>
    runCommand(async () => {
      const [actions, { printOutcomeOf }, { refusalOfDeployment: toRefusal }] = await Promise.all([
        import("../deployment-actions.ts"),
        import("../print-outcome.ts"),
        import("../refusal-of-deployment.ts"),
      ]);
      const act = actions[name] as (options: unknown) => Promise<Outcome>;
      await printOutcomeOf(() => act(options), { asJson: options.json === true, toRefusal });
    });
}

function readSeconds(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give whole seconds, 0 to 99999.");
}
