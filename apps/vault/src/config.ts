import { toHandshakeConfig } from "@dataspace/platform-auth/http/handshake-config";
import { isLoopbackHost } from "@dataspace/protocol/loopback-host";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { findProductionFaults, type ProductionRules } from "@dataspace/service-kit/settings/production-faults";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { findMissingStorage, storageSettings, toServiceStorage } from "@dataspace/service-kit/storage/storage-settings";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { HandshakeConfig } from "@dataspace/platform-auth/http/handshakes";
import type { Secret } from "@dataspace/service-kit/secret";
import type { ServiceStorage } from "@dataspace/service-kit/storage/service-database";
import { findFilesFaults, locateFiles } from "./files-settings.ts";
import type { FilesLocation } from "./open-blob-store.ts";
import type { AwarenessAddress } from "./outgoing/hand-over.ts";
import type { VaultServerConfig } from "./server.ts";
import { vaultSettings } from "./vault-settings.ts";
import type { z } from "zod";

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of a standalone vault: its behaviour, where it listens, and the parties it contacts. */
export interface VaultServiceConfig extends Omit<VaultServerConfig, "publicUrl"> {
  readonly host: string;
  readonly port: number;
  readonly registryUrl: string;
  readonly registrySecret: Secret;
  /** The questions to the registry that one caller may cause in a minute; 0: no limit. */
  readonly registryQuestions: number;
  /** Targets beside the public network at which other vaults may be. */
  readonly outgoingAllow: OutgoingAllow;
  readonly handshakes: HandshakeConfig;
  readonly files: FilesLocation;
  /** The receiver of events; undefined: none. */
  readonly awareness: AwarenessAddress | undefined;
  /** DS_VAULT_URL; undefined: where it listens. */
  readonly publicUrl: string | undefined;
}

/** About 60,000 Envelopes of six fields each. */
const UNPAGED_CAP = 10_000;
const BYTES_PER_MIB = 1_048_576;
/** A document is compiled at its third execution. */
const COMPILE_FROM = 3;

/**
 * Reads the vault's settings.
 *
 * Refuses: one StartupError (78) that lists every fault; header mode in production or beyond loopback unless it is
 * accepted.
 * Source: decisions, settings table; I2, V20.
 */
export function envToVaultConfig(env: Environment): VaultServiceConfig {
  return toVaultConfig(readSettings(vaultSettings, env, findMissingSettings(env)));
}

/**
 * Reads the settings of a standalone vault: its own and those of its storage.
 *
 * Refuses: as `envToVaultConfig`. Source: decisions P4, P5.
 */
export function envToStandaloneConfig(env: Environment): VaultServiceConfig & ServiceStorage {
  const faults = [...findMissingStorage(env), ...findMissingSettings(env)];
  const settings = readSettings({ ...vaultSettings, ...storageSettings }, env, faults);
  return { ...toVaultConfig(settings), ...toServiceStorage(settings) };
}

function toVaultConfig(settings: z.infer<z.ZodObject<typeof vaultSettings>>): VaultServiceConfig {
  const production = settings.NODE_ENV === "production";
  const header = settings.DS_VAULT_AUTH === "header";
  return {
    host: settings.DS_HOST,
    port: settings.DS_VAULT_PORT,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
    registryUrl: settings.DS_REGISTRY_URL,
    publicUrl: settings.DS_VAULT_URL,
    files: locateFiles(settings),
    registrySecret: settings.REGISTRY_SHARED_SECRET,
    registryQuestions: settings.DS_RATE_LIMIT_REGISTRY,
    awareness: awarenessOf(settings.DS_AWARENESS_URL, settings.DS_INGEST_SECRET),
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
    handshakes: toHandshakeConfig(settings),
    secret: settings.DS_SECRET,
    serviceToken: settings.DS_PROVISIONING_TOKEN,
    auth: settings.DS_VAULT_AUTH,
    legacyTokens: settings.DS_LEGACY_PLATFORM_TOKENS,
    legacyIssuedBeforeMs: settings.DS_LEGACY_ISSUED_BEFORE,
    migrationPlatforms: settings.DS_MIGRATION_PLATFORMS,
    anonymousStore: settings.DS_ANONYMOUS_STORE,
    domains: settings.DS_ONTOLOGY_DOMAINS ?? DOMAIN_BY_ONTOLOGY,
    unpagedCap: UNPAGED_CAP,
    cors: header ? { origins: "loopback", allowHosts: settings.DS_DEV_ORIGINS } : { origins: "any" },
    introspection: !production,
    ide: !production,
    compileFrom: COMPILE_FROM,
    limits: {
      perAddress: settings.DS_RATE_LIMIT_PER_ADDRESS,
      perCaller: settings.DS_RATE_LIMIT_PER_CALLER,
      anonymous: settings.DS_RATE_LIMIT_ANONYMOUS,
      recordsPerOwner: settings.DS_QUOTA_RECORDS,
      bytesPerOwner: settings.DS_QUOTA_MIB * BYTES_PER_MIB,
      guestRecordsPerOwner: settings.DS_QUOTA_GUEST_RECORDS,
      guestBytesPerOwner: settings.DS_QUOTA_GUEST_MIB * BYTES_PER_MIB,
    },
  };
}

function awarenessOf(url: string | undefined, secret: Secret | undefined): AwarenessAddress | undefined {
  return url === undefined || secret === undefined ? undefined : { url, secret };
}

// Settings that are required only together with others, one fault for each.
function findMissingSettings(env: Environment): readonly string[] {
  return [
    ...findProductionFaults(env, [...Object.keys(vaultSettings), "DATABASE_URL"], IN_PRODUCTION),
    ...findHeaderTrust(env),
    ...findAwarenessFaults(env),
    ...findFilesFaults(env),
  ];
}

const IN_PRODUCTION: ProductionRules = {
  required: { DS_VAULT_URL: "since the addresses of files begin with it" },
  contacted: ["DS_VAULT_URL", "DS_REGISTRY_URL", "DS_AWARENESS_URL", "DS_AUTHORITY_URL", "DS_TRUSTED_AUTHORITIES"],
};

function findHeaderTrust(env: Environment): readonly string[] {
  const { DS_VAULT_AUTH: auth, DS_ACCEPT_HEADER_TRUST: accepted = "", DS_HOST: host, NODE_ENV } = env;
  const isBeyond = NODE_ENV === "production" || (Boolean(host) && !isLoopbackHost(host ?? ""));
  if (auth !== "header" || !isBeyond || ["1", "true"].includes(accepted)) return [];
  return [
    "DS_VAULT_AUTH: header lets whoever knows an eName act as its owner. It is refused in production and beyond loopback; " +
      "behind a gateway that sets X-ENAME itself, accept it with DS_ACCEPT_HEADER_TRUST=1.",
  ];
}

function findAwarenessFaults(env: Environment): readonly string[] {
  const isSet = (name: string) => Boolean(env[name] || env[`${name}_FILE`]);
  const [addressed, secret] = [isSet("DS_AWARENESS_URL"), isSet("DS_INGEST_SECRET")];
  const required = env["NODE_ENV"] === "production" || addressed || secret;
  const why = "is required in production, and beside the other of DS_AWARENESS_URL and DS_INGEST_SECRET";
  return [
    ...(required && !addressed ? [`DS_AWARENESS_URL: ${why}: without it no event is sent`] : []),
    ...(required && !secret ? [`DS_INGEST_SECRET: ${why}: without it no event is taken`] : []),
  ];
}
