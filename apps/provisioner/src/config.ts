import { findProductionFaults, type ProductionRules } from "@dataspace/service-kit/settings/production-faults";
import {
  baseUrlSetting,
  countSetting,
  hostSetting,
  portSetting,
  secretSetting,
  trustedProxiesSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { storageSettings, toServiceStorage } from "@dataspace/service-kit/storage/storage-settings";
import { z } from "zod";
import type { Secret } from "@dataspace/service-kit/secret";
import type { ServiceStorage } from "@dataspace/service-kit/storage/service-database";
import type { ProvisionerConfig } from "./provisioner.ts";

/** The configuration of a standalone provisioner, on the database of the vault service whose owners it creates. */
export interface ProvisionerServiceConfig extends ProvisionerConfig, ServiceStorage {
  readonly host: string;
  readonly port: number;
  readonly registryUrl: string;
  readonly sharedSecret: Secret;
  /** Requests a minute from one source address, of any kind; 0: no limit. */
  readonly requestsPerAddress: number;
  /** The proxies whose X-Forwarded-For and X-Forwarded-Proto are read. */
  readonly trustedProxies: readonly string[];
}

const MIN_SECRET_LENGTH = 32;
const MAX_VAULT_ID_LENGTH = 256;

/** The settings of a standalone provisioner, by name. Source: decisions, settings table; P5, P8. */
export const provisionerSettings: {
  readonly NODE_ENV: z.ZodType<string | undefined>;
  readonly DATABASE_URL: z.ZodType<string>;
  readonly DS_DRAIN_SECONDS: z.ZodType<number | undefined>;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: z.ZodType<string | undefined>;
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_PROVISIONER_PORT: z.ZodType<number>;
  readonly DS_REGISTRY_URL: z.ZodType<string>;
  readonly DS_VAULT_URL: z.ZodType<string>;
  readonly REGISTRY_SHARED_SECRET: z.ZodType<Secret>;
  readonly VAULT_ID: z.ZodType<string | undefined>;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_PROVISION: z.ZodType<number>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
} = {
  NODE_ENV: z.string().optional().describe("`production` makes the start strict."),
  DATABASE_URL: z.string().describe("The vault's PostgreSQL."),
  DS_DRAIN_SECONDS: storageSettings.DS_DRAIN_SECONDS,
  OTEL_EXPORTER_OTLP_ENDPOINT: storageSettings.OTEL_EXPORTER_OTLP_ENDPOINT,
  DS_HOST: hostSetting(),
  DS_PROVISIONER_PORT: portSetting(4001).describe("The port that it listens on."),
  DS_REGISTRY_URL: baseUrlSetting().describe("The registry's origin."),
  DS_VAULT_URL: baseUrlSetting().describe("The origin of new vaults."),
  REGISTRY_SHARED_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).describe(
    "The registry's secret. At least 32 characters.",
  ),
  VAULT_ID: z
    .string()
    .max(MAX_VAULT_ID_LENGTH, `must have at most ${MAX_VAULT_ID_LENGTH} characters`)
    .optional()
    .describe("The identifier of all vaults created here. Without it each vault gets its own."),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe(
    "Requests a minute from one source address, IPv6 by /64. 0: no limit.",
  ),
  DS_RATE_LIMIT_PROVISION: countSetting(10).describe(
    "Requests to `POST /provision` an hour from one source address. 0: no limit.",
  ),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
};

const IN_PRODUCTION: ProductionRules = {
  contacted: ["DS_REGISTRY_URL", "DS_VAULT_URL"],
  limits: ["DS_RATE_LIMIT_PROVISION"],
};

/**
 * Reads the settings of a standalone provisioner, which never accepts the demo code.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: decisions, settings table; V17.
 */
export function envToProvisionerConfig(env: Readonly<Record<string, string | undefined>>): ProvisionerServiceConfig {
  const settings = readSettings(
    provisionerSettings,
    env,
    findProductionFaults(env, Object.keys(provisionerSettings), IN_PRODUCTION),
  );
  return {
    host: settings.DS_HOST,
    port: settings.DS_PROVISIONER_PORT,
    ...toServiceStorage({ ...settings, DS_DATA_DIR: undefined }),
    registryUrl: settings.DS_REGISTRY_URL,
    sharedSecret: settings.REGISTRY_SHARED_SECRET,
    publicVaultUrl: settings.DS_VAULT_URL,
    demoCode: false,
    provisionsPerAddress: settings.DS_RATE_LIMIT_PROVISION,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
    requestsPerAddress: settings.DS_RATE_LIMIT_PER_ADDRESS,
    ...(settings.VAULT_ID === undefined ? {} : { vaultId: settings.VAULT_ID }),
  };
}
