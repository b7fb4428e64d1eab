import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { isSecretSetting, showSetting } from "./secret-settings.ts";
import { collectSettingValues, type SettingTexts } from "./setting-values.ts";

/** What a service demands of its settings in production, by the settings' names. */
export interface ProductionRules {
  /** The settings that must be set, each with the reason. */
  readonly required?: Readonly<Record<string, string>>;
  /** Addresses that others compare letter by letter: https, also on loopback. */
  readonly ownOrigins?: readonly string[];
  /** Other addresses: https, or http on this machine. Entries of a list are separated by commas. */
  readonly contacted?: readonly string[];
  /** Limits that must not be 0, that is, switched off. */
  readonly limits?: readonly string[];
}

const SAMPLE_WORDS =
  /change[-_ ]?(?:me|it)|example|placeholder|password|insecure|development|your[-_ ]?(?:own|secret)/i;
/** The public parts of private keys that are printed in RFC 7515 A.3, RFC 7517 A.2, RFC 8037 A.1. */
const PRINTED_KEYS = [
  "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
  "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
];

/**
 * Finds what makes settings unfit for production: a missing key, an http address, a limit that is off, a secret that
 * is a sample.
 *
 * In: `names`, all settings of the service. Out: one fault for each, with its setting, its value unless that is secret,
 * and the fix; none unless NODE_ENV is production. Refuses: never. Source: decision P5; reliability "safe defaults".
 */
export function findProductionFaults(
  env: SettingTexts,
  names: readonly string[],
  rules: ProductionRules,
): readonly string[] {
  if (env["NODE_ENV"] !== "production") return [];
  const { values } = collectSettingValues(names, env);
  return [
    ...Object.entries(rules.required ?? {})
      .filter(([name]) => values[name] === undefined)
      .map(([name, why]) => `${name}: is required in production, ${why}`),
    ...(rules.ownOrigins ?? []).flatMap((name) => findHttp(name, values[name], () => false)),
    ...(rules.contacted ?? []).flatMap((name) => findHttp(name, values[name], isLoopbackHost)),
    ...(rules.limits ?? [])
      .filter((name) => values[name] === "0")
      .map((name) => `${name}: must not be "0" (no limit) in production; unset it for the default`),
    ...findUnfitSecrets(names, values),
  ];
}

function findHttp(name: string, text: string | undefined, isAllowed: (host: string) => boolean): readonly string[] {
  const addresses = (text ?? "").split(",").map((entry) => entry.trim());
  return addresses
    .filter((address) => /^http:/i.test(address) && !(URL.canParse(address) && isAllowed(new URL(address).hostname)))
    .map((address) => `${name}: must be https in production, not "${showSetting(name, address)}"`);
}

/** The secret itself, or those of a JSON object, whose keys are no secrets. */
function secretTexts(text: string): readonly string[] {
  if (!text.startsWith("{")) return [text];
  try {
    return Object.values(JSON.parse(text) as object).filter((secret) => typeof secret === "string");
  } catch {
    return [text];
  }
}

function findUnfitSecrets(names: readonly string[], values: SettingTexts): readonly string[] {
  const secrets = names.filter((name) => isSecretSetting(name) && values[name] !== undefined);
  return secrets.flatMap((name) => {
    const text = values[name] ?? "";
    if (PRINTED_KEYS.some((key) => text.includes(key)))
      return [`${name}: is a key that is printed in an RFC; make one with: dataspace keys create ${name}`];
    const isSample = !name.endsWith("_JWK") && secretTexts(text).some((secret) => SAMPLE_WORDS.test(secret));
    return isSample ? [`${name}: looks like a sample; make one with: dataspace keys create ${name}`] : [];
  });
}
