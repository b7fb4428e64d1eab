import { readSigningKeys, type SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { findProductionFaults } from "@dataspace/service-kit/settings/production-faults";
import {
  baseUrlSetting,
  countSetting,
  hostSetting,
  oneOfSetting,
  outgoingAllowSetting,
  portSetting,
  secretSetting,
  trustedProxiesSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { findMissingStorage, storageSettings, toServiceStorage } from "@dataspace/service-kit/storage/storage-settings";
import { z } from "zod";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { Secret } from "@dataspace/service-kit/secret";
import type { ServiceStorage } from "@dataspace/service-kit/storage/service-database";
import type { RegistryConfig } from "./server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of a registry: its behaviour and where it listens. */
export interface RegistryServiceConfig extends Omit<RegistryConfig, "publicUrl"> {
  /** DS_REGISTRY_URL; undefined: where it listens. */
  readonly publicUrl: string | undefined;
  /** Targets beside the public network at which vaults may be. */
  readonly outgoingAllow: OutgoingAllow;
  readonly host: string;
  readonly port: number;
}

const MIN_SECRET_LENGTH = 32;

/**
 * The registry's settings by name, also for code that lists all settings of the product.
 *
 * Source: decisions, settings table; P6.
 */
export const registrySettings: {
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_REGISTRY_PORT: z.ZodType<number>;
  readonly REGISTRY_SIGNING_KEY_JWK: z.ZodType<SigningKeys>;
  readonly REGISTRY_SHARED_SECRET: z.ZodType<Secret>;
  readonly REGISTRY_LEGACY_MINT: z.ZodType<"on" | "off">;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_ANONYMOUS: z.ZodType<number>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
  readonly DS_REGISTRY_URL: z.ZodType<string | undefined>;
  readonly DS_OUTGOING_ALLOW: z.ZodType<OutgoingAllow>;
} = {
  DS_HOST: hostSetting(),
  DS_REGISTRY_PORT: portSetting(4321).describe("The port that it listens on."),
  REGISTRY_SIGNING_KEY_JWK: z
    .string()
    .transform((text, context): SigningKeys => {
      const reading = readSigningKeys(text);
      if ("keys" in reading) return reading.keys;
      context.addIssue({ code: "custom", message: reading.fault });
      return z.NEVER;
    })
    .describe("A private P-256 JWK, or a JWK set whose first key signs and whose others are only published."),
  REGISTRY_SHARED_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).describe(
    "The secret that the vault and the provisioner show to the registry. At least 32 characters.",
  ),
  REGISTRY_LEGACY_MINT: oneOfSetting(["on", "off"], "off").describe(
    "`on` lets the registry issue platform tokens of the older kind.",
  ),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe(
    "Requests a minute from one source address, IPv6 by /64. Holders of the shared secret have ten times as many, counted separately. 0: no limit.",
  ),
  DS_RATE_LIMIT_ANONYMOUS: countSetting(60).describe(
    "Requests a minute from one source address to `/entropy`, `/platforms/certification` and, without the secret, `PATCH /register`. 0: no limit.",
  ),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
  DS_REGISTRY_URL: baseUrlSetting()
    .optional()
    .describe(
      "The registry's public base address. Wallet tokens of owners name its origin. Default: the address that it listens on.",
    ),
  DS_OUTGOING_ALLOW: outgoingAllowSetting().describe(
    "Vaults that the registry may contact besides those at public https addresses: `host:port` and address ranges, separated by commas.",
  ),
};

/**
 * Reads the registry's settings.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: decisions, settings table; I7 (no legacy tokens unless
 * switched on).
 */
export function envToRegistryConfig(env: Environment): RegistryServiceConfig {
  return toRegistryConfig(readSettings(registrySettings, env));
}

/**
 * Reads the settings of a standalone registry: its own and those of its storage.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: decisions P4, P5.
 */
export function envToStandaloneConfig(env: Environment): RegistryServiceConfig & ServiceStorage {
  const shape = { ...registrySettings, ...storageSettings };
  const faults = [...findMissingStorage(env), ...findProductionFaults(env, Object.keys(shape), {})];
  const settings = readSettings(shape, env, faults);
  return { ...toRegistryConfig(settings), ...toServiceStorage(settings) };
}

function toRegistryConfig(settings: z.infer<z.ZodObject<typeof registrySettings>>): RegistryServiceConfig {
  return {
    host: settings.DS_HOST,
    port: settings.DS_REGISTRY_PORT,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
    publicUrl: settings.DS_REGISTRY_URL,
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
    signingKeys: settings.REGISTRY_SIGNING_KEY_JWK,
    sharedSecret: settings.REGISTRY_SHARED_SECRET,
    legacyMint: settings.REGISTRY_LEGACY_MINT === "on",
    cors: { origins: "any" },
    limits: { perAddress: settings.DS_RATE_LIMIT_PER_ADDRESS, anonymous: settings.DS_RATE_LIMIT_ANONYMOUS },
  };
}
