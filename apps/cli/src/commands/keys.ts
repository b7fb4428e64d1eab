import { Argument, type Command, Option } from "commander";
import type { RotationStep } from "../keys/rotate-keys.ts";
import type { Outcome } from "../print-outcome.ts";
import { runCommand } from "../run-command.ts";

interface KeyOptions {
  readonly out?: string;
  readonly json?: boolean;
}

const ROTATING = `
Each step changes the value; restart every instance of the service after it, one after the other.

  publish  adds a new key, which does not sign yet.
  sign     lets the new key sign, and still publishes the old one.
  finish   removes the old key from the setting.
  replace  is for a stolen key: it leaves only a new one.

Examples:
  DS_OIDC_SIGNING_KEY_JWK_FILE=/etc/dataspace/login.jwk dataspace keys rotate DS_OIDC_SIGNING_KEY_JWK publish
  REGISTRY_SIGNING_KEY_JWK_FILE=/etc/dataspace/registry.jwk dataspace keys rotate REGISTRY_SIGNING_KEY_JWK replace

The value is written to the file that <SETTING>_FILE names, which keeps its owner and mode; without one it is printed.`;

const CREATING = `
Examples:
  dataspace keys create DS_SECRET --out /etc/dataspace/secrets/vault/DS_SECRET

Only the user who runs this may read the file.`;

const WITHDRAWING = `
Examples:
  dataspace keys withdraw oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U --of registry

The key must no longer sign. Restart every instance afterwards; verifiers forget it within 5 minutes. It is not published
again, and never signs again, even where a setting still holds it.`;

/** `dataspace keys`: creates keys and secrets, rotates signing keys, withdraws retired ones. Source: reliability 5.6. */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("creates, rotates and withdraws keys");
  keys
    .command("create")
    .description("makes a random value for a setting: a secret or a private JWK")
    .argument("<setting>", "such as DS_SECRET or REGISTRY_SIGNING_KEY_JWK")
    .option("--out <file>", "a new file that gets the value; printed when absent")
    .option("--json", "prints JSON")
    .addHelpText("after", CREATING)
    .action((setting: string, options: KeyOptions) =>
      run(options, async () => (await import("../keys/key-actions.ts")).createKey(setting, options.out)),
    );
  keys
    .command("rotate")
    .description("makes the next step of rotating the signing keys of a setting, without a failed verification")
    .argument("<setting>", "such as REGISTRY_SIGNING_KEY_JWK")
    .addArgument(new Argument("<step>", "the step").choices(["publish", "sign", "finish", "replace"]))
    .option("--json", "prints JSON")
    .addHelpText("after", ROTATING)
    .action((setting: string, step: RotationStep, options: KeyOptions) =>
      run(options, async () =>
        (await import("../keys/key-actions.ts")).rotateKey({ env: process.env, advise: report }, setting, step),
      ),
    );
  keys
    .command("withdraw")
    .description("withdraws a retired or stolen key from the published key set")
    .argument("<kid>", "the key's kid")
    .addOption(new Option("--of <service>", "whose key").choices(["registry", "authority"]).makeOptionMandatory())
    .option("--json", "prints JSON")
    .addHelpText("after", WITHDRAWING)
    .action((kid: string, options: KeyOptions & { readonly of: "registry" | "authority" }) =>
      run(options, async () =>
        (await import("../keys/key-actions.ts")).withdrawRetiredKey({ env: process.env, report }, options.of, kid),
      ),
    );
}

function report(line: string): void {
  console.error(line);
}

function run({ json = false }: KeyOptions, act: () => Promise<Outcome>): Promise<void> {
  return runCommand(async () => {
    const [{ printOutcomeOf }, { refusalOfParty: toRefusal }] = await Promise.all([
      import("../print-outcome.ts"),
      import("../refusal-of-party.ts"),
    ]);
    await printOutcomeOf(act, { asJson: json, toRefusal });
  });
}
