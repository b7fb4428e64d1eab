import { type EName, isEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY, extendDomains } from "@dataspace/protocol/ontology-domain";
import { jsonFileSetting } from "@dataspace/service-kit/settings/json-file-setting";
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
import type { OutgoingAllow } from "@dataspace/service-kit/outgoing/outgoing-allow";
import type { Secret } from "@dataspace/service-kit/secret";
import type { ServiceStorage } from "@dataspace/service-kit/storage/service-database";
import {
  createWebhookSigningKey,
  readWebhookSigningKey,
  type WebhookSigningKey,
} from "./delivery/webhook-signing-key.ts";
import { ingestSecretsSetting } from "./ingest-secrets-setting.ts";
import type { AwarenessConfig } from "./server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of an awareness service: its behaviour, where it listens, the parties it contacts. */
export interface AwarenessServiceConfig extends Omit<AwarenessConfig, "cors" | "publicUrl" | "devConsumer"> {
  readonly host: string;
  readonly port: number;
  readonly registryUrl: string;
  /** DS_AWARENESS_URL; undefined: where it listens. */
  readonly publicUrl: string | undefined;
}

const MIN_SECRET_LENGTH = 32;

/** The awareness service's settings by name. Source: decisions, settings table; P6. */
export const awarenessSettings: {
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_AWARENESS_PORT: z.ZodType<number>;
  readonly DS_AWARENESS_URL: z.ZodType<string | undefined>;
  readonly DS_REGISTRY_URL: z.ZodType<string>;
  readonly DS_INGEST_SECRET: z.ZodType<Secret | undefined>;
  readonly DS_INGEST_SECRETS: z.ZodType<ReadonlyMap<string, Secret> | undefined>;
  readonly DS_SECRET: z.ZodType<Secret>;
  readonly DS_AWARENESS_SIGNING_KEY_JWK: z.ZodType<WebhookSigningKey | undefined>;
  readonly DS_AWARENESS_ADMINS: z.ZodType<ReadonlySet<EName>>;
  readonly DS_ONTOLOGY_DOMAINS: z.ZodType<ReadonlyMap<string, string> | undefined>;
  readonly DS_LEGACY_PLATFORM_TOKENS: z.ZodType<"accept" | "read-only" | "reject">;
  readonly DS_OUTGOING_ALLOW: z.ZodType<OutgoingAllow>;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_PROBES: z.ZodType<number>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
} = {
  DS_HOST: hostSetting(),
  DS_AWARENESS_PORT: portSetting(4100),
  DS_AWARENESS_URL: baseUrlSetting().optional(),
  DS_REGISTRY_URL: baseUrlSetting(),
  DS_INGEST_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).optional(),
  DS_INGEST_SECRETS: ingestSecretsSetting({ minLength: MIN_SECRET_LENGTH }).optional(),
  DS_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }),
  DS_AWARENESS_SIGNING_KEY_JWK: z.string().transform(readKey).optional(),
  DS_AWARENESS_ADMINS: z.string().default("").transform(readENames),
  DS_ONTOLOGY_DOMAINS: jsonFileSetting(extendDomains).optional(),
  DS_LEGACY_PLATFORM_TOKENS: oneOfSetting(["accept", "read-only", "reject"], "accept"),
  DS_OUTGOING_ALLOW: outgoingAllowSetting(),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000),
  DS_RATE_LIMIT_PROBES: countSetting(30),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
};

/**
 * Reads the awareness service's settings.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: decisions, settings table; E5 (no default ingest secret).
 */
export function envToAwarenessConfig(env: Environment): AwarenessServiceConfig {
  return toConfig(readSettings(awarenessSettings, env, findMissingIngestSecret(env)));
}

/**
 * Reads the settings of a standalone awareness service: its own and those of its storage.
 *
 * Refuses: one StartupError (78) that lists every fault; in production also a missing DS_AWARENESS_URL or
 * DS_AWARENESS_SIGNING_KEY_JWK.
 * Source: decisions P4, P5, E5.
 */
export function envToStandaloneConfig(env: Environment): AwarenessServiceConfig & ServiceStorage {
  const settings = readSettings({ ...awarenessSettings, ...storageSettings }, env, [
    ...findMissingStorage(env),
    ...findMissingIngestSecret(env),
    ...findMissingInProduction(env),
  ]);
  return { ...toConfig(settings), ...toServiceStorage(settings) };
}

function toConfig(settings: z.infer<z.ZodObject<typeof awarenessSettings>>): AwarenessServiceConfig {
  return {
    host: settings.DS_HOST,
    port: settings.DS_AWARENESS_PORT,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
    publicUrl: settings.DS_AWARENESS_URL,
    registryUrl: settings.DS_REGISTRY_URL,
    ingestSecret: settings.DS_INGEST_SECRET,
    ingestSecrets: settings.DS_INGEST_SECRETS,
    secret: settings.DS_SECRET,
    webhookKey: settings.DS_AWARENESS_SIGNING_KEY_JWK ?? createWebhookSigningKey(),
    admins: settings.DS_AWARENESS_ADMINS,
    legacyTokens: settings.DS_LEGACY_PLATFORM_TOKENS,
    domains: settings.DS_ONTOLOGY_DOMAINS ?? DOMAIN_BY_ONTOLOGY,
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
    requestsPerAddress: settings.DS_RATE_LIMIT_PER_ADDRESS,
    probesPerMinute: settings.DS_RATE_LIMIT_PROBES,
  };
}

function readENames(text: string, context: z.RefinementCtx): ReadonlySet<EName> {
  const entries = text.split(",").flatMap((entry) => entry.trim().toLowerCase() || []);
  const wrong = entries.find((entry) => !isEName(entry));
  if (wrong !== undefined) {
    context.addIssue({ code: "custom", message: `lists eNames, separated by commas, not ${JSON.stringify(wrong)}` });
  }
  return new Set(entries.filter((entry) => isEName(entry)));
}

function readKey(text: string, context: z.RefinementCtx): WebhookSigningKey {
  const reading = readWebhookSigningKey(text);
  if ("key" in reading) return reading.key;
  context.addIssue({ code: "custom", message: reading.fault });
  return z.NEVER;
}

const NEEDED_IN_PRODUCTION = {
  DS_AWARENESS_URL: "since wallet tokens name it as their audience",
  DS_AWARENESS_SIGNING_KEY_JWK: "since receivers verify webhooks by its public part, which must outlive a restart",
};

function findMissingIngestSecret(env: Environment): readonly string[] {
  const names = ["DS_INGEST_SECRET", "DS_INGEST_SECRETS"];
  if (names.some((name) => env[name] || env[`${name}_FILE`])) return [];
  return ["DS_INGEST_SECRET: is required, or DS_INGEST_SECRETS where several vault services send events"];
}

function findMissingInProduction(env: Environment): readonly string[] {
  if (env["NODE_ENV"] !== "production") return [];
  return Object.entries(NEEDED_IN_PRODUCTION)
    .filter(([name]) => !env[name] && !env[`${name}_FILE`])
    .map(([name, why]) => `${name}: is required in production, ${why}`);
}
