import { type WithdrawRefusal, withdrawKey } from "@dataspace/service-kit/published-keys/withdraw-key";
import { collectSettingValues } from "@dataspace/service-kit/settings/setting-values";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { type Environment, withConfiguredDatabase } from "../configured-database.ts";
import type { Outcome } from "../print-outcome.ts";
import { makeKey } from "./make-key.ts";
import { AFTER_STEP, type RotationStep, rotateKeys } from "./rotate-keys.ts";
import { storeKey, storeNewKey } from "./store-key.ts";

/** A service that publishes its retired keys. */
export type PublishingService = "registry" | "authority";

/** Makes a key or secret, and writes it to a new file, or prints it. Refuses: StartupError 78. */
export async function createKey(setting: string, file: string | undefined): Promise<Outcome> {
  const value = makeKey(setting);
  if (file === undefined) return { lines: [value], json: { setting, value } };
  await storeNewKey(file, value);
  return { lines: [`${file} is written.`], json: { setting, file } };
}

/**
 * Makes a step of a rotation, and writes the file that `<SETTING>_FILE` names, or prints the value.
 *
 * In: `advise` gets what to do next. Refuses: StartupError 78.
 */
export async function rotateKey(
  { env, advise }: { readonly env: Environment; readonly advise: (line: string) => void },
  setting: string,
  step: RotationStep,
): Promise<Outcome> {
  const { values, faults } = collectSettingValues([setting], env);
  const text = values[setting];
  if (text === undefined) throw new StartupError(`${setting}: ${faults[setting] ?? "is not set"}.`);
  const value = rotateKeys(setting, text, step);
  const file = env[`${setting}_FILE`];
  const next = AFTER_STEP[step];
  if (file) {
    await storeKey(file, value);
    advise(next);
    return { lines: [`${file} is written.`], json: { setting, step, file, next } };
  }
  advise(`Set the value above. ${next}`);
  return { lines: [value], json: { setting, step, value, next } };
}

/** Withdraws a retired key of a service. Refuses: StartupError 78 for a key that is unknown or signs. */
export async function withdrawRetiredKey(
  { env, report }: { readonly env: Environment; readonly report: (line: string) => void },
  service: PublishingService,
  kid: string,
): Promise<Outcome> {
  const refusal = await withConfiguredDatabase(env, { report }, (database) =>
    withdrawKey(database, `${service}_key`, kid),
  );
  if (refusal !== undefined) throw new StartupError(explain(refusal, service, kid));
  const line = `Withdrawn. Restart every instance of the ${service}; verifiers forget the key within 5 minutes.`;
  return { lines: [line], json: { service, kid, state: "withdrawn" } };
}

function explain(refusal: WithdrawRefusal, service: PublishingService, kid: string): string {
  if (refusal === "signing") {
    return `The key ${kid} still signs. Let another key sign first: dataspace keys rotate ... replace`;
  }
  const never = "A key that has never signed is withdrawn by leaving it out of the setting";
  return `The ${service} never signed with a key of the kid ${JSON.stringify(kid)}. ${never}.`;
}
