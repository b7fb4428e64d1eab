import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import {
  baseUrlSetting,
  hostSetting,
  outgoingAllowSetting,
  portSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";

/** The platform's configuration. */
export interface SampleConfig {
  readonly registryUrl: string;
  /** The address for browsers and wallets, if it differs from where it listens. */
  readonly publicUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly outgoingAllow: OutgoingAllow;
}

const REGISTRY = { PUBLIC_REGISTRY_URL: baseUrlSetting().default("http://127.0.0.1:4321") };
const REST = {
  PUBLIC_PLATFORM_URL: baseUrlSetting().optional(),
  DS_HOST: hostSetting(),
  PLATFORM_PORT: portSetting(3000),
  DS_OUTGOING_ALLOW: outgoingAllowSetting(),
};
const THIS_MACHINE = "127.0.0.0/8,::1/128";

/**
 * Reads the platform's settings. Vaults on this machine are allowed if the registry is on it too, or if the settings
 * list them.
 *
 * Refuses: StartupError 78 that lists the faults.
 */
export function envToConfig(env: Readonly<Record<string, string | undefined>>): SampleConfig {
  const { PUBLIC_REGISTRY_URL: registryUrl } = readSettings(REGISTRY, env);
  const beside = isLoopbackHost(new URL(registryUrl).hostname) ? { DS_OUTGOING_ALLOW: THIS_MACHINE } : {};
  const settings = readSettings(REST, { ...beside, ...env });
  return {
    registryUrl,
    publicUrl: settings.PUBLIC_PLATFORM_URL,
    host: settings.DS_HOST,
    port: settings.PLATFORM_PORT,
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
  };
}
