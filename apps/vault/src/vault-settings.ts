import { extendDomains } from "@dataspace/protocol/ontology-domain";
import { eNamesSetting } from "@dataspace/service-kit/settings/enames-setting";
import { jsonFileSetting } from "@dataspace/service-kit/settings/json-file-setting";
import { originsSetting } from "@dataspace/service-kit/settings/origins-setting";
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
  timeSetting,
  trustedProxiesSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { z } from "zod";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { EName } from "@dataspace/protocol/ename";
import type { Secret } from "@dataspace/service-kit/secret";
import { filesSettings } from "./files-settings.ts";

const MIN_SECRET_LENGTH = 32;

/** The vault's settings by name. Source: decisions, settings table. */
export const vaultSettings: {
  readonly NODE_ENV: z.ZodType<string | undefined>;
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_VAULT_PORT: z.ZodType<number>;
  readonly DS_VAULT_URL: z.ZodType<string | undefined>;
  readonly DS_REGISTRY_URL: z.ZodType<string>;
  readonly REGISTRY_SHARED_SECRET: z.ZodType<Secret>;
  readonly DS_SECRET: z.ZodType<Secret>;
  readonly DS_PROVISIONING_TOKEN: z.ZodType<Secret | undefined>;
  readonly DS_VAULT_AUTH: z.ZodType<"enforced" | "header">;
  readonly DS_ACCEPT_HEADER_TRUST: z.ZodType<boolean>;
  readonly DS_LEGACY_PLATFORM_TOKENS: z.ZodType<"accept" | "read-only" | "reject">;
  readonly DS_LEGACY_ISSUED_BEFORE: z.ZodType<number | undefined>;
  readonly DS_MIGRATION_PLATFORMS: z.ZodType<ReadonlySet<EName>>;
  readonly DS_ANONYMOUS_STORE: z.ZodType<"quarantine" | "allow" | "deny">;
  readonly DS_DEV_ORIGINS: z.ZodType<readonly string[]>;
  readonly DS_AWARENESS_URL: z.ZodType<string | undefined>;
  readonly DS_INGEST_SECRET: z.ZodType<Secret | undefined>;
  readonly DS_ONTOLOGY_DOMAINS: z.ZodType<ReadonlyMap<string, string> | undefined>;
  readonly DS_OUTGOING_ALLOW: z.ZodType<OutgoingAllow>;
  readonly DS_AUTHORITY_URL: z.ZodType<string | undefined>;
  readonly DS_TRUSTED_AUTHORITIES: z.ZodType<readonly string[]>;
  readonly DS_PPAUTH_CHALLENGE_TTL_SECONDS: z.ZodType<number>;
  readonly DS_PPAUTH_REQUIRE_BINDING: z.ZodType<boolean>;
  readonly DS_RATE_LIMIT_HANDSHAKES: z.ZodType<number>;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_PER_CALLER: z.ZodType<number>;
  readonly DS_RATE_LIMIT_ANONYMOUS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_REGISTRY: z.ZodType<number>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
  readonly DS_QUOTA_RECORDS: z.ZodType<number>;
  readonly DS_QUOTA_MIB: z.ZodType<number>;
  readonly DS_QUOTA_GUEST_RECORDS: z.ZodType<number>;
  readonly DS_QUOTA_GUEST_MIB: z.ZodType<number>;
} & typeof filesSettings = {
  NODE_ENV: z
    .string()
    .optional()
    .describe(
      "`production` makes the start strict: addresses must be https, keys must be set, and migrations must be applied.",
    ),
  DS_HOST: hostSetting(),
  DS_VAULT_PORT: portSetting(4000).describe("The port that it listens on."),
  DS_VAULT_URL: baseUrlSetting()
    .optional()
    .describe(
      "The vault's public origin. File addresses begin with it. Default: the address that it listens on; required in production.",
    ),
  DS_REGISTRY_URL: baseUrlSetting().describe("The registry's origin."),
  REGISTRY_SHARED_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).describe(
    "The registry's secret. At least 32 characters.",
  ),
  DS_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH }).describe(
    "The secret that seals cursors and signs file addresses. All processes of the vault service share it. At least 32 characters.",
  ),
  DS_PROVISIONING_TOKEN: secretSetting({ minLength: MIN_SECRET_LENGTH })
    .optional()
    .describe("Lets the provisioner give a keyless vault its first key. At least 32 characters."),
  DS_VAULT_AUTH: oneOfSetting(["enforced", "header"], "enforced").describe(
    "`enforced` asks for proof. `header` trusts the header `X-ENAME`: for development, or behind a gateway that sets it.",
  ),
  DS_ACCEPT_HEADER_TRUST: booleanSetting(false).describe(
    "1 accepts `DS_VAULT_AUTH=header` in production or beyond loopback.",
  ),
  DS_LEGACY_PLATFORM_TOKENS: oneOfSetting(["accept", "read-only", "reject"], "accept").describe(
    "What platform tokens that the registry issued may do: `accept`, `read-only` or `reject`.",
  ),
  DS_LEGACY_ISSUED_BEFORE: timeSetting()
    .optional()
    .describe(
      "A time such as `2026-12-31T00:00:00Z`: only platform tokens that the registry issued before it are accepted.",
    ),
  DS_MIGRATION_PLATFORMS: eNamesSetting().describe(
    "eNames of platforms, separated by commas, whose `skipWebhooks` suppresses the events of a bulk.",
  ),
  DS_ANONYMOUS_STORE: oneOfSetting(["quarantine", "allow", "deny"], "quarantine").describe(
    "What `storeMetaEnvelope` does with a record from a caller who may not create, with or without a credential: `quarantine`, `allow` or `deny`. A quarantined record is visible to the owner alone until the owner changes it.",
  ),
  DS_DEV_ORIGINS: z
    .string()
    .default("")
    .transform(readHostList)
    .describe("Host names besides those of this machine that may call in header mode, separated by commas."),
  DS_AWARENESS_URL: baseUrlSetting()
    .optional()
    .describe(
      "The awareness service's origin, which receives every event. Without it events wait in the outbox; required in production.",
    ),
  DS_INGEST_SECRET: secretSetting({ minLength: MIN_SECRET_LENGTH })
    .optional()
    .describe(
      "The credential of the awareness service's `/ingest`, required beside its address. At least 32 characters.",
    ),
  DS_ONTOLOGY_DOMAINS: jsonFileSetting(extendDomains)
    .optional()
    .describe("A JSON file that assigns more ontologies to domains of certificates."),
  DS_OUTGOING_ALLOW: outgoingAllowSetting().describe(
    "Targets that the vault may contact besides public https addresses: `host:port` and address ranges, separated by commas.",
  ),
  DS_AUTHORITY_URL: baseUrlSetting()
    .optional()
    .describe(
      "The origin of the certifying authority that this vault trusts, unless `DS_TRUSTED_AUTHORITIES` lists others.",
    ),
  DS_TRUSTED_AUTHORITIES: originsSetting().describe(
    "Origins of the certifying authorities that this vault trusts, separated by commas. They replace `DS_AUTHORITY_URL`.",
  ),
  DS_PPAUTH_CHALLENGE_TTL_SECONDS: durationSecondsSetting({ min: 10, max: 300, default: 120 }).describe(
    "How long a platform may take to answer a handshake's challenge, 10 to 300 seconds.",
  ),
  DS_PPAUTH_REQUIRE_BINDING: booleanSetting(false).describe(
    "1 refuses platform sessions that are not bound to a key (DPoP).",
  ),
  DS_RATE_LIMIT_HANDSHAKES: countSetting(60).describe("Handshakes a minute from one source address. 0: no limit."),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe(
    "Requests a minute from one source address, IPv6 by /64. 0: no limit.",
  ),
  DS_RATE_LIMIT_PER_CALLER: countSetting(600).describe(
    "Requests a minute of one proven caller at one owner's vault. 0: no limit.",
  ),
  DS_RATE_LIMIT_ANONYMOUS: countSetting(60).describe(
    "Requests a minute without credential to `/graphql` and `/logs`, by source address. 0: no limit.",
  ),
  // A quarter of what a registry of the same defaults grants to the holders of its secret at one address.
  DS_RATE_LIMIT_REGISTRY: countSetting(7_500).describe(
    "Requests a minute that the vault sends to the registry for one proven caller, or for one source address without proof. 0: no limit.",
  ),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
  DS_QUOTA_RECORDS: countSetting(2_000_000).describe("Active MetaEnvelopes of one owner. 0: no quota."),
  DS_QUOTA_MIB: countSetting(10_240).describe(
    "MiB of versions and files of one owner, including those of removed MetaEnvelopes. 0: no quota.",
  ),
  DS_QUOTA_GUEST_RECORDS: countSetting(10_000).describe(
    "Active MetaEnvelopes that others than the owner write without the owner's grant. 0: no quota.",
  ),
  DS_QUOTA_GUEST_MIB: countSetting(100).describe(
    "MiB of versions and files that others than the owner write without the owner's grant. 0: no quota.",
  ),
  ...filesSettings,
};

/** Reads a comma-separated list of host names, each bare or as an origin. Source: decision V20. */
export function readHostList(text: string): readonly string[] {
  const entries = text.split(",").map((entry) => entry.trim().toLowerCase());
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => (URL.canParse(entry) ? new URL(entry).hostname : entry));
}
