import { findProductionFaults, type ProductionRules } from "@dataspace/service-kit/settings/production-faults";
import {
  baseUrlSetting,
  countSetting,
  durationSecondsSetting,
  hostSetting,
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
import type { LoginLifetimes } from "./provider/lifetimes.ts";
import { readSigningKeySet, type SigningKeySet } from "./provider/signing-key-set.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The connector's configuration: its behaviour and where it listens. */
export interface LoginConfig {
  readonly host: string;
  readonly port: number;
  /** The origin at which browsers, wallets and identity providers reach the connector. */
  readonly issuer: string;
  readonly registryUrl: string;
  readonly platformName: string;
  readonly lifetimes: LoginLifetimes;
  readonly upstreamTimeoutMs: number;
  readonly jwksCacheSeconds: number;
  readonly limits: LoginLimits;
  /** Undefined: keys created at the start, which do not survive a restart. */
  readonly signingKeys: SigningKeySet | undefined;
  readonly portalSecret: Secret | undefined;
  readonly outgoingAllow: OutgoingAllow;
  /** The proxies whose X-Forwarded-For is read. */
  readonly trustedProxies: readonly string[];
}

/** The limits; 0: no limit, except for pending logins. */
export interface LoginLimits {
  readonly pendingLogins: number;
  readonly startsPerMinute: number;
  readonly clientsPerHour: number;
  /** Requests of one source address in a minute. */
  readonly perAddress: number;
}

const DEFAULT_PLATFORM_NAME = "Dataspace Login";
const DAY_SECONDS = 86_400;
const MIN_SECRET_LENGTH = 32;

/** The connector's settings by name. Source: S2 "Limits"; decisions L12, E6. */
export const loginSettings: {
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_OIDC_PORT: z.ZodType<number>;
  readonly DS_OIDC_ISSUER: z.ZodType<string>;
  readonly DS_REGISTRY_URL: z.ZodType<string>;
  readonly DS_OIDC_PLATFORM_NAME: z.ZodType<string>;
  readonly DS_OIDC_SESSION_TTL_SECONDS: z.ZodType<number>;
  readonly DS_OIDC_CODE_TTL_SECONDS: z.ZodType<number>;
  readonly DS_OIDC_TOKEN_TTL_SECONDS: z.ZodType<number>;
  readonly DS_OIDC_UPSTREAM_TIMEOUT_MS: z.ZodType<number>;
  readonly DS_OIDC_JWKS_CACHE_SECONDS: z.ZodType<number>;
  readonly DS_OIDC_CLIENT_CREATE_LIMIT: z.ZodType<number>;
  readonly DS_OIDC_PENDING_LOGINS: z.ZodType<number>;
  readonly DS_OIDC_STARTS_PER_MINUTE: z.ZodType<number>;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_OIDC_SIGNING_KEY_JWK: z.ZodType<SigningKeySet | undefined>;
  readonly DS_OIDC_PORTAL_SECRET: z.ZodType<Secret | undefined>;
  readonly DS_OUTGOING_ALLOW: z.ZodType<OutgoingAllow>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
} = {
  DS_HOST: hostSetting(),
  DS_OIDC_PORT: portSetting(4200).describe("The port that it listens on."),
  DS_OIDC_ISSUER: baseUrlSetting().describe("The connector's public origin, without a path. https in production."),
  DS_REGISTRY_URL: baseUrlSetting().describe("The registry's origin."),
  DS_OIDC_PLATFORM_NAME: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .default(DEFAULT_PLATFORM_NAME)
    .describe("The label of the pages and the name in the portal's own sign-in."),
  DS_OIDC_SESSION_TTL_SECONDS: durationSecondsSetting({ min: 1, max: 3_600, default: 300 }).describe(
    "How long a QR code is valid.",
  ),
  DS_OIDC_CODE_TTL_SECONDS: durationSecondsSetting({ min: 1, max: 600, default: 60 }).describe(
    "How long an authorization code can be exchanged.",
  ),
  DS_OIDC_TOKEN_TTL_SECONDS: durationSecondsSetting({ min: 1, max: DAY_SECONDS, default: 300 }).describe(
    "How long ID tokens and access tokens are valid.",
  ),
  DS_OIDC_UPSTREAM_TIMEOUT_MS: countSetting(5_000).describe(
    "How long the registry and a vault may take to answer, in milliseconds.",
  ),
  DS_OIDC_JWKS_CACHE_SECONDS: durationSecondsSetting({ min: 1, max: DAY_SECONDS, default: 300 }).describe(
    "How long the registry's keys are reused.",
  ),
  DS_OIDC_CLIENT_CREATE_LIMIT: countSetting(10).describe("Clients that one eName may create in an hour."),
  DS_OIDC_PENDING_LOGINS: countSetting(12_000).describe("Logins that may wait at a time. More are refused with 503."),
  DS_OIDC_STARTS_PER_MINUTE: countSetting(30).describe("Logins that one address may start in a minute. 0: no limit."),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe(
    "Requests a minute from one source address, IPv6 by /64. 0: no limit.",
  ),
  DS_OIDC_SIGNING_KEY_JWK: z
    .string()
    .transform((text, context): SigningKeySet => {
      const reading = readSigningKeySet(text);
      if ("keys" in reading) return reading.keys;
      context.addIssue({ code: "custom", message: reading.fault });
      return z.NEVER;
    })
    .optional()
    .describe(
      "The ES256 private key as a JWK, or a JWK set whose first key signs. Default: a new key at each start; required in production.",
    ),
  DS_OIDC_PORTAL_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH })
    .optional()
    .describe(
      "The secret that signs the portal's sessions. At least 32 characters. Default: a new one at each start; required in production.",
    ),
  DS_OUTGOING_ALLOW: outgoingAllowSetting().describe(
    "Vaults at private addresses that the connector may contact: `host:port` and address ranges, separated by commas.",
  ),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
};

/** Reads the connector's settings. Refuses: one StartupError (78) that lists every fault. Source: S2 "Limits". */
export function envToLoginConfig(env: Environment): LoginConfig {
  return toLoginConfig(readSettings(loginSettings, env));
}

/**
 * Reads the settings of a standalone connector: its own and those of its storage. In production the issuer is https,
 * and the signing key and the portal's secret are required.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: S2 "Limits"; decisions P4, P5.
 */
export function envToStandaloneConfig(env: Environment): LoginConfig & ServiceStorage {
  const shape = { ...loginSettings, ...storageSettings };
  const faults = [...findMissingStorage(env), ...findProductionFaults(env, Object.keys(shape), IN_PRODUCTION)];
  const settings = readSettings(shape, env, faults);
  return { ...toLoginConfig(settings), ...toServiceStorage(settings) };
}

const SURVIVES = "where a restart must not change it";

const IN_PRODUCTION: ProductionRules = {
  required: { DS_OIDC_SIGNING_KEY_JWK: SURVIVES, DS_OIDC_PORTAL_SECRET: SURVIVES },
  ownOrigins: ["DS_OIDC_ISSUER"],
  contacted: ["DS_REGISTRY_URL"],
  limits: ["DS_OIDC_UPSTREAM_TIMEOUT_MS", "DS_OIDC_PENDING_LOGINS"],
};

function toLoginConfig(settings: z.infer<z.ZodObject<typeof loginSettings>>): LoginConfig {
  return {
    host: settings.DS_HOST,
    port: settings.DS_OIDC_PORT,
    issuer: settings.DS_OIDC_ISSUER,
    registryUrl: settings.DS_REGISTRY_URL,
    platformName: settings.DS_OIDC_PLATFORM_NAME,
    lifetimes: {
      session: settings.DS_OIDC_SESSION_TTL_SECONDS,
      code: settings.DS_OIDC_CODE_TTL_SECONDS,
      token: settings.DS_OIDC_TOKEN_TTL_SECONDS,
    },
    upstreamTimeoutMs: settings.DS_OIDC_UPSTREAM_TIMEOUT_MS,
    jwksCacheSeconds: settings.DS_OIDC_JWKS_CACHE_SECONDS,
    limits: {
      pendingLogins: settings.DS_OIDC_PENDING_LOGINS,
      startsPerMinute: settings.DS_OIDC_STARTS_PER_MINUTE,
      clientsPerHour: settings.DS_OIDC_CLIENT_CREATE_LIMIT,
      perAddress: settings.DS_RATE_LIMIT_PER_ADDRESS,
    },
    signingKeys: settings.DS_OIDC_SIGNING_KEY_JWK,
    portalSecret: settings.DS_OIDC_PORTAL_SECRET,
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
  };
}
