import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { booleanSetting, hostSetting } from "@dataspace/service-kit/settings/setting-types";
import { readSettings, settingsError, unknownSettings } from "@dataspace/service-kit/settings/settings";
import { listKnownSettings } from "./known-settings.ts";
import type { Environment, ServiceRecipe } from "./service.ts";
import { storeSecrets } from "./stored-secrets.ts";

/**
 * Completes the environment with the development stack's settings: its relaxed checks, its stored secrets, and each
 * service's address. A setting of the environment always wins.
 *
 * Out: the complete settings; the addresses change when a service listens on a port that the system chose.
 * Refuses: StartupError 78 listing every fault, in production, and for a DS_HOST beyond loopback.
 * Source: decisions, "The development stack"; P5, V20.
 */
export function completeSettings(
  env: Environment,
  dataDirectory: string,
  recipes: readonly ServiceRecipe[],
): Record<string, string | undefined> {
  const kinds = Object.assign({}, ...recipes.map(({ storedSecrets }) => storedSecrets));
  const missing = Object.keys(kinds).filter((name) => !isSet(env, name));
  const complete: Record<string, string | undefined> = {
    ...env,
    DS_DATA_DIR: dataDirectory,
    DS_DATA_DIR_FILE: undefined,
  };
  Object.assign(complete, storeSecrets(dataDirectory, Object.fromEntries(missing.map((name) => [name, kinds[name]]))));
  for (const recipe of recipes) {
    const address = `http://127.0.0.1:${env[recipe.portSetting] || recipe.defaultPort}`;
    const limits = isOnLoopback(env) ? recipe.loopbackDefaults : {};
    const defaults = { ...recipe.developmentDefaults, ...limits, [recipe.urlSetting]: address };
    for (const [name, value] of Object.entries(defaults)) if (!isSet(env, name)) complete[name] = value;
  }
  assertAll(complete, recipes);
  return complete;
}

function isOnLoopback(env: Environment): boolean {
  try {
    return isLoopbackHost(readSettings({ DS_HOST: hostSetting() }, env).DS_HOST);
  } catch {
    return true; // It is not an address; that fault is reported with the others.
  }
}

// By value or by file.
function isSet(env: Environment, name: string): boolean {
  return Boolean(env[name] || env[`${name}_FILE`]);
}

function assertAll(env: Environment, recipes: readonly ServiceRecipe[]): void {
  const { NODE_ENV } = env;
  if (NODE_ENV === "production") {
    throw settingsError([
      "NODE_ENV: this is the development stack; in production start each service alone, as README.md says",
    ]);
  }
  const shape = Object.assign({}, ...recipes.map(({ settings }) => settings)) as ServiceRecipe["settings"];
  readSettings(shape, env, unknownSettings(env, listKnownSettings(recipes)));
  const own = { DS_HOST: hostSetting(), DS_ACCEPT_HEADER_TRUST: booleanSetting(false) };
  const { DS_HOST, DS_ACCEPT_HEADER_TRUST } = readSettings(own, env);
  if (isOnLoopback(env) || DS_ACCEPT_HEADER_TRUST) return;
  throw settingsError([
    `DS_HOST: ${DS_HOST} is reached by other machines, and this stack trusts whoever reaches it; set DS_ACCEPT_HEADER_TRUST=1 to accept that`,
  ]);
}
