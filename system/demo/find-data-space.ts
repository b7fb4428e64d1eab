import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@dataspace/service-kit/log";
import { baseUrlSetting } from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { startConstellation } from "../constellation.ts";
import type { Environment } from "../service.ts";

/** A data space to work with. `own`: started for this demo, and removed at its end. */
export interface DataSpace {
  readonly registryUrl: string;
  readonly vaultUrl: string;
  readonly authorityUrl: string;
  readonly awarenessUrl: string;
  readonly own: boolean;
}

const USUAL = {
  DS_REGISTRY_URL: "http://127.0.0.1:4321",
  DS_VAULT_URL: "http://127.0.0.1:4000",
  DS_AUTHORITY_URL: "http://127.0.0.1:4300",
  DS_AWARENESS_URL: "http://127.0.0.1:4100",
} as const;
const ANSWER_LIMIT_MS = 3_000;

/**
 * Finds the data space at DS_REGISTRY_URL and DS_VAULT_URL (the usual ports when absent). Otherwise it starts one on
 * free ports and a temporary directory, which `opened` removes.
 *
 * Refuses: StartupError 78 when the settings name a data space and none answers there. Source: decisions P5, P6.
 */
export async function findDataSpace(
  opened: AsyncDisposableStack,
  env: Environment,
  deps: { readonly report: (line: string) => void; readonly abort: AbortSignal },
): Promise<DataSpace> {
  const shape = {
    DS_REGISTRY_URL: baseUrlSetting().optional(),
    DS_VAULT_URL: baseUrlSetting().optional(),
    DS_AUTHORITY_URL: baseUrlSetting().optional(),
    DS_AWARENESS_URL: baseUrlSetting().optional(),
  };
  const named = readSettings(shape, env);
  const registryUrl = named.DS_REGISTRY_URL ?? USUAL.DS_REGISTRY_URL;
  const vaultUrl = named.DS_VAULT_URL ?? USUAL.DS_VAULT_URL;
  const authorityUrl = named.DS_AUTHORITY_URL ?? USUAL.DS_AUTHORITY_URL;
  const awarenessUrl = named.DS_AWARENESS_URL ?? USUAL.DS_AWARENESS_URL;
  const silent = (await Promise.all([registryUrl, vaultUrl].map(findSilent))).filter((url) => url !== undefined);
  if (silent.length === 0) return { registryUrl, vaultUrl, authorityUrl, awarenessUrl, own: false };
  if (named.DS_REGISTRY_URL !== undefined || named.DS_VAULT_URL !== undefined) {
    throw new StartupError(
      `DS_REGISTRY_URL, DS_VAULT_URL: no service answers at ${silent.join(" and ")}. Start it, or unset both.`,
    );
  }
  deps.report("No data space is running here; starting one for this demo.");
  return await startOwn(opened, env, deps);
}

async function findSilent(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await answer.body?.cancel();
    return answer.ok ? undefined : url;
  } catch {
    return url;
  }
}

async function startOwn(
  opened: AsyncDisposableStack,
  env: Environment,
  deps: { readonly report: (line: string) => void; readonly abort: AbortSignal },
): Promise<DataSpace> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "dataspace-demo-"));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const own = {
    ...env,
    DS_DATA_DIR: dataDirectory,
    DS_DATA_DIR_FILE: undefined,
    DS_REGISTRY_PORT: "0",
    DS_AUTHORITY_PORT: "0",
    DS_VAULT_PORT: "0",
    DS_AWARENESS_PORT: "0",
    DS_OIDC_PORT: "0",
    DS_SANDBOX_PORT: "0",
  };
  const createServiceLog = (service: string) => createLog({ service, level: "warn", pretty: false });
  const constellation = await startConstellation(own, { ...deps, createLog: createServiceLog });
  opened.use(constellation);
  const { registryUrl, vaultUrl, authorityUrl, awarenessUrl, storage } = constellation;
  deps.report(`${storage.description}, in ${storage.directory ?? "your own server"}`);
  return { registryUrl, vaultUrl, authorityUrl, awarenessUrl, own: true };
}
