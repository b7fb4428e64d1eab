import { toHandshakeConfig } from "@dataspace/platform-auth/http/handshake-config";
import { DOMAIN_BY_ONTOLOGY, extendDomains } from "@dataspace/protocol/ontology-domain";
import { eNamesSetting } from "@dataspace/service-kit/settings/enames-setting";
import { jsonFileSetting } from "@dataspace/service-kit/settings/json-file-setting";
import { originsSetting } from "@dataspace/service-kit/settings/origins-setting";
import { findProductionFaults, type ProductionRules } from "@dataspace/service-kit/settings/production-faults";
import {
  baseUrlSetting,
  booleanSetting,
  countSetting,
  durationSecondsSetting,
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
import type { HandshakeConfig } from "@dataspace/platform-auth/http/handshakes";
import type { EName } from "@dataspace/protocol/ename";
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
  readonly handshakes: HandshakeConfig;
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
  readonly DS_AUTHORITY_URL: z.ZodType<string | undefined>;
  readonly DS_TRUSTED_AUTHORITIES: z.ZodType<readonly string[]>;
  readonly DS_PPAUTH_CHALLENGE_TTL_SECONDS: z.ZodType<number>;
  readonly DS_PPAUTH_REQUIRE_BINDING: z.ZodType<boolean>;
  readonly DS_RATE_LIMIT_HANDSHAKES: z.ZodType<number>;
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
  DS_AWARENESS_PORT: portSetting(4100).describe("The port that it listens on."),
  DS_AWARENESS_URL: baseUrlSetting()
    .optional()
    .describe(
      "The service's public origin, which is the audience of wallet tokens. Default: the address that it listens on; required in production.",
    ),
  DS_REGISTRY_URL: baseUrlSetting().describe("The registry's origin."),
  DS_AUTHORITY_URL: baseUrlSetting()
    .optional()
    .describe(
      "The origin of the certifying authority that this service trusts, unless `DS_TRUSTED_AUTHORITIES` lists others.",
    ),
  DS_TRUSTED_AUTHORITIES: originsSetting().describe(
    "Origins of the certifying authorities that this service trusts, separated by commas. They replace `DS_AUTHORITY_URL`.",
  ),
  DS_PPAUTH_CHALLENGE_TTL_SECONDS: durationSecondsSetting({ min: 10, max: 300, default: 120 }).describe(
    "How long a platform may take to answer a handshake's challenge, 10 to 300 seconds.",
  ),
  DS_PPAUTH_REQUIRE_BINDING: booleanSetting(false).describe(
    "1 refuses platform sessions that are not bound to a key (DPoP).",
  ),
  DS_RATE_LIMIT_HANDSHAKES: countSetting(60).describe(
    "Handshake requests a minute from one source address. 0: no limit.",
  ),
  DS_INGEST_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH })
    .optional()
    .describe(
      "The secret with which the only vault service sends events. At least 32 characters. This or `DS_INGEST_SECRETS` is required.",
    ),
  DS_INGEST_SECRETS: ingestSecretsSetting({ minLength: MIN_SECRET_LENGTH })
    .optional()
    .describe(
      'For several vault services: a JSON object `{"<vault origin>": "<secret>"}`. `DS_INGEST_SECRET` is then not read.',
    ),
  DS_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).describe(
    "The secret that encrypts the secrets of subscriptions. At least 32 characters.",
  ),
  DS_AWARENESS_SIGNING_KEY_JWK: z
    .string()
    .transform(readKey)
    .optional()
    .describe(
      "The private Ed25519 JWK that signs webhooks (v1a). Default: a new key at each start; required in production.",
    ),
  DS_AWARENESS_ADMINS: eNamesSetting().describe("eNames, separated by commas, who approve consumers as platforms."),
  DS_ONTOLOGY_DOMAINS: jsonFileSetting(extendDomains)
    .optional()
    .describe("A JSON file that assigns more ontologies to domains of certificates."),
  DS_LEGACY_PLATFORM_TOKENS: oneOfSetting(["accept", "read-only", "reject"], "accept").describe(
    "With `reject`, no consumer receives legacy records as an approved platform.",
  ),
  DS_OUTGOING_ALLOW: outgoingAllowSetting().describe(
    "Webhook targets that are allowed besides public https addresses on port 443: `host:port` and address ranges, separated by commas.",
  ),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe(
    "Requests a minute from one source address to `/api`. 0: no limit.",
  ),
  DS_RATE_LIMIT_PROBES: countSetting(30).describe(
    "Challenges and test webhooks a minute that one consumer causes. One target host receives at most four times as many. 0: no limit.",
  ),
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
  const shape = { ...awarenessSettings, ...storageSettings };
  const settings = readSettings(shape, env, [
    ...findMissingStorage(env),
    ...findMissingIngestSecret(env),
    ...findProductionFaults(env, Object.keys(shape), IN_PRODUCTION),
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
    handshakes: toHandshakeConfig(settings),
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

function readKey(text: string, context: z.RefinementCtx): WebhookSigningKey {
  const reading = readWebhookSigningKey(text);
  if ("key" in reading) return reading.key;
  context.addIssue({ code: "custom", message: reading.fault });
  return z.NEVER;
}

const IN_PRODUCTION: ProductionRules = {
  required: {
    DS_AWARENESS_URL: "since wallet tokens name it as their audience",
    DS_AWARENESS_SIGNING_KEY_JWK: "since receivers verify webhooks by its public part, which must outlive a restart",
  },
  contacted: ["DS_AWARENESS_URL", "DS_REGISTRY_URL"],
};

function findMissingIngestSecret(env: Environment): readonly string[] {
  const names = ["DS_INGEST_SECRET", "DS_INGEST_SECRETS"];
  if (names.some((name) => env[name] || env[`${name}_FILE`])) return [];
  return ["DS_INGEST_SECRET: is required, or DS_INGEST_SECRETS where several vault services send events"];
}
