import { type EName, isEName } from "@dataspace/protocol/ename";
import { readSigningKeys, type SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { findProductionFaults, type ProductionRules } from "@dataspace/service-kit/settings/production-faults";
import {
  baseUrlSetting,
  countSetting,
  hostSetting,
  outgoingAllowSetting,
  portSetting,
  trustedProxiesSetting,
} from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { findMissingStorage, storageSettings, toServiceStorage } from "@dataspace/service-kit/storage/storage-settings";
import { z } from "zod";
import type { OutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import type { ServiceStorage } from "@dataspace/service-kit/storage/service-database";
import type { Reviewers } from "./decisions/reviewers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How an authority behaves and where it listens. */
export interface AuthorityConfig {
  readonly host: string;
  readonly port: number;
  /** The origin of the authority, which its certificates name. */
  readonly issuer: string;
  readonly registryUrl: string;
  readonly reviewers: Reviewers;
  readonly signingKeys: SigningKeys;
  /** Requests a minute of one address, and among them submissions and new sign-ins; 0: no limit. */
  readonly limits: { readonly perAddress: number; readonly submissions: number; readonly signIns: number };
  readonly outgoingAllow: OutgoingAllow;
  /** Whose X-Forwarded-For is read. */
  readonly trustedProxies: readonly string[];
}

const MOST_REVIEWERS = 1_000;

/** The authority's settings by name. Source: decisions A6, E6, P6. */
export const authoritySettings: {
  readonly DS_HOST: z.ZodType<string>;
  readonly DS_AUTHORITY_PORT: z.ZodType<number>;
  readonly DS_AUTHORITY_URL: z.ZodType<string>;
  readonly DS_REGISTRY_URL: z.ZodType<string>;
  readonly DS_AUTHORITY_REVIEWERS: z.ZodType<Reviewers>;
  readonly DS_AUTHORITY_SIGNING_KEY_JWK: z.ZodType<SigningKeys>;
  readonly DS_RATE_LIMIT_PER_ADDRESS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_SUBMISSIONS: z.ZodType<number>;
  readonly DS_RATE_LIMIT_SIGN_INS: z.ZodType<number>;
  readonly DS_OUTGOING_ALLOW: z.ZodType<OutgoingAllow>;
  readonly DS_TRUSTED_PROXIES: z.ZodType<readonly string[]>;
} = {
  DS_HOST: hostSetting(),
  DS_AUTHORITY_PORT: portSetting(4300).describe("The port that it listens on."),
  DS_AUTHORITY_URL: baseUrlSetting().describe("The authority's public origin, which every certificate names."),
  DS_REGISTRY_URL: baseUrlSetting().describe("The registry's origin."),
  DS_AUTHORITY_REVIEWERS: z
    .string()
    .transform((text, context): Reviewers => {
      if (text.trim() === "*") return "anybody";
      const names = text.split(",").map((name) => name.trim().toLowerCase());
      if (names.length <= MOST_REVIEWERS && names.every(isEName)) return names as EName[];
      context.addIssue({ code: "custom", message: `must be up to ${MOST_REVIEWERS} eNames, separated by commas` });
      return z.NEVER;
    })
    .describe(
      "The eNames that may decide, separated by commas. `*` lets everybody decide, and is refused in production.",
    ),
  DS_AUTHORITY_SIGNING_KEY_JWK: z
    .string()
    .transform((text, context): SigningKeys => {
      const reading = readSigningKeys(text);
      if ("keys" in reading) return reading.keys;
      context.addIssue({ code: "custom", message: reading.fault });
      return z.NEVER;
    })
    .describe("A private P-256 JWK, or a JWK set whose first key signs and whose others are only published."),
  DS_RATE_LIMIT_PER_ADDRESS: countSetting(3_000).describe("Requests a minute from one source address. 0: no limit."),
  DS_RATE_LIMIT_SUBMISSIONS: countSetting(30).describe("Submissions a minute from one source address. 0: no limit."),
  DS_RATE_LIMIT_SIGN_INS: countSetting(60).describe(
    "New sign-ins at the review pages a minute from one source address. 0: no limit.",
  ),
  DS_OUTGOING_ALLOW: outgoingAllowSetting().describe(
    "Targets that the authority may contact besides public https addresses: `host:port` and address ranges, separated by commas.",
  ),
  DS_TRUSTED_PROXIES: trustedProxiesSetting(),
};

/** Reads the authority's settings. Refuses: one StartupError (78) that lists every fault. Source: decision P5. */
export function envToAuthorityConfig(env: Environment): AuthorityConfig {
  return toConfig(readSettings(authoritySettings, env));
}

/**
 * Reads the settings of an authority that runs alone: its own and those of its storage. In production its address is https, and
 * reviewers are named.
 *
 * Refuses: one StartupError (78) that lists every fault. Source: decisions P4, P5, A6.
 */
export function envToStandaloneConfig(env: Environment): AuthorityConfig & ServiceStorage {
  const shape = { ...authoritySettings, ...storageSettings };
  const settings = readSettings(shape, env, [
    ...findMissingStorage(env),
    ...findProductionFaults(env, Object.keys(shape), IN_PRODUCTION),
    ...findOpenReview(env),
  ]);
  return { ...toConfig(settings), ...toServiceStorage(settings) };
}

const IN_PRODUCTION: ProductionRules = { ownOrigins: ["DS_AUTHORITY_URL"], contacted: ["DS_REGISTRY_URL"] };

function findOpenReview({ NODE_ENV, DS_AUTHORITY_REVIEWERS }: Environment): readonly string[] {
  if (NODE_ENV !== "production" || DS_AUTHORITY_REVIEWERS?.trim() !== "*") return [];
  return ["DS_AUTHORITY_REVIEWERS: must name the reviewers in production; * lets everybody decide"];
}

function toConfig(settings: z.infer<z.ZodObject<typeof authoritySettings>>): AuthorityConfig {
  return {
    host: settings.DS_HOST,
    port: settings.DS_AUTHORITY_PORT,
    issuer: settings.DS_AUTHORITY_URL,
    registryUrl: settings.DS_REGISTRY_URL,
    reviewers: settings.DS_AUTHORITY_REVIEWERS,
    signingKeys: settings.DS_AUTHORITY_SIGNING_KEY_JWK,
    limits: {
      perAddress: settings.DS_RATE_LIMIT_PER_ADDRESS,
      submissions: settings.DS_RATE_LIMIT_SUBMISSIONS,
      signIns: settings.DS_RATE_LIMIT_SIGN_INS,
    },
    outgoingAllow: settings.DS_OUTGOING_ALLOW,
    trustedProxies: settings.DS_TRUSTED_PROXIES,
  };
}
