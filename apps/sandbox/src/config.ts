import {
  baseUrlSetting,
  hostSetting,
  portSetting,
  trustedProxiesSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import type { SandboxConfig } from "./server.ts";
import type { z } from "zod";

/** The sandbox's configuration: the parties it contacts, and where it listens. */
export interface SandboxServiceConfig extends Omit<SandboxConfig, "cors"> {
  readonly host: string;
  readonly port: number;
}

/** The sandbox's settings by name. Source: S3 "Sandbox"; decision P6. */
export const sandboxSettings: {
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_SANDBOX_PORT: z.ZodType<number>;
  readonly PUBLIC_REGISTRY_URL: z.ZodType<string>;
  readonly PUBLIC_PROVISIONER_URL: z.ZodType<string>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
} = {
  DS_HOST: hostSetting(),
  DS_SANDBOX_PORT: portSetting(8080).describe("The port that it listens on."),
  PUBLIC_REGISTRY_URL: baseUrlSetting()
    .default("http://127.0.0.1:4321")
    .describe("The registry's origin as browsers reach it."),
  PUBLIC_PROVISIONER_URL: baseUrlSetting()
    .default("http://127.0.0.1:4000")
    .describe("The provisioner's origin as browsers reach it."),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
};

/** Reads the sandbox's settings. Refuses: one StartupError (78) that lists every fault. Source: S3 "Sandbox". */
export function envToSandboxConfig(env: Readonly<Record<string, string | undefined>>): SandboxServiceConfig {
  const settings = readSettings(sandboxSettings, env);
  return {
    host: settings.DS_HOST,
    port: settings.DS_SANDBOX_PORT,
    registryUrl: settings.PUBLIC_REGISTRY_URL,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
    provisionerUrl: settings.PUBLIC_PROVISIONER_URL,
  };
}
