import { Argument, type Command, Option } from "commander";
import type { RotationStep } from "../keys/rotate-keys.ts";
import { runCommand } from "../run-command.ts";

const ROTATING = `
Each step changes the value; restart every instance of the service after it, one after the other.

  publish  adds a new key, which does not sign yet.
  sign     lets the new key sign, and still publishes the old one.
  finish   removes the old key from the setting.
  replace  is for a stolen key: it leaves only a new one.

Examples:
  DS_OIDC_SIGNING_KEY_JWK_FILE=/etc/dataspace/login.jwk dataspace keys rotate DS_OIDC_SIGNING_KEY_JWK publish
  dataspace keys rotate REGISTRY_SIGNING_KEY_JWK replace > /etc/dataspace/registry.jwk

The value is written to the file that <SETTING>_FILE names; without one it is printed.`;

const WITHDRAWING = `
Examples:
  dataspace keys withdraw oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U --of registry

The key must no longer sign. Restart every instance afterwards; verifiers forget it within 5 minutes.`;

/** `dataspace keys`: creates keys and secrets, rotates signing keys, withdraws retired ones. Source: reliability 5.6. */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("creates, rotates and withdraws keys");
  keys
    .command("create")
    .description("prints a random value for a setting: a secret or a private JWK")
    .argument("<setting>", "such as DS_SECRET or REGISTRY_SIGNING_KEY_JWK")
    .addHelpText("after", "\nExamples:\n  dataspace keys create DS_SECRET > /etc/dataspace/secret")
    .action((setting: string) =>
      runCommand(async () => {
        const { makeKey } = await import("../keys/make-key.ts");
        console.log(makeKey(setting));
      }),
    );
  keys
    .command("rotate")
    .description("makes the next step of rotating the signing keys of a setting, without a failed verification")
    .argument("<setting>", "such as REGISTRY_SIGNING_KEY_JWK")
    .addArgument(new Argument("<step>", "the step").choices(["publish", "sign", "finish", "replace"]))
    .addHelpText("after", ROTATING)
    .action((setting: string, step: RotationStep) => runCommand(() => rotate(setting, step)));
  keys
    .command("withdraw")
    .description("withdraws a retired or stolen key from the published key set")
    .argument("<kid>", "the key's kid")
    .addOption(new Option("--of <service>", "whose key").choices(["registry", "authority"]).makeOptionMandatory())
    .addHelpText("after", WITHDRAWING)
    .action((kid: string, options: { readonly of: "registry" | "authority" }) =>
      runCommand(() => withdraw(kid, options.of)),
    );
}

async function rotate(setting: string, step: RotationStep): Promise<void> {
  const [{ AFTER_STEP, rotateKeys }, { storeKey }, { collectSettingValues }, { StartupError }] = await Promise.all([
    import("../keys/rotate-keys.ts"),
    import("../keys/store-key.ts"),
    import("@dataspace/service-kit/settings/setting-values"),
    import("@dataspace/service-kit/startup-error"),
  ]);
  const { values, faults } = collectSettingValues([setting], process.env);
  const text = values[setting];
  if (text === undefined) throw new StartupError(`${setting}: ${faults[setting] ?? "is not set"}.`);
  const next = rotateKeys(setting, text, step);
  const file = process.env[`${setting}_FILE`];
  if (file) await storeKey(file, next);
  else console.log(next);
  console.error(`${file ? `${file} is written.` : "Set the value above."} ${AFTER_STEP[step]}`);
}

async function withdraw(kid: string, service: "registry" | "authority"): Promise<void> {
  const [{ withConfiguredDatabase }, { withdrawKey }, { StartupError }] = await Promise.all([
    import("../configured-database.ts"),
    import("@dataspace/service-kit/published-keys/withdraw-key"),
    import("@dataspace/service-kit/startup-error"),
  ]);
  const report = (line: string) => console.error(line);
  const refusal = await withConfiguredDatabase(process.env, { report }, (database) =>
    withdrawKey(database, `${service}_key`, kid),
  );
  if (refusal === "unknown") throw new StartupError(`The ${service} has no key with the kid ${JSON.stringify(kid)}.`);
  if (refusal === "signing") {
    throw new StartupError(`The key ${kid} still signs. Let another key sign first: dataspace keys rotate ... replace`);
  }
  console.log(`Withdrawn. Restart every instance of the ${service}; verifiers forget the key within 5 minutes.`);
}
