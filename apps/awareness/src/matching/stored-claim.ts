import { CERTIFICATION_LEVELS, type CertificationLevel } from "@dataspace/protocol/owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { CertificatePlace, ProvenPlatform } from "./listener.ts";

/**
 * What a platform has proven by evidence, as stored with the consumer. `expiresAt` is when its certificate ends, ISO
 * 8601; `status` is where the certificate's status is, null for a certificate without one.
 */
export interface StoredClaim {
  readonly platform: EName;
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
  readonly expiresAt: string;
  readonly status: CertificatePlace | null;
}

/**
 * Computes what a claim is worth now: a certificate that has ended covers no domain.
 *
 * Refuses: never. Source: decision E9.
 */
export function claimAt({ platform, level, domains, expiresAt, status }: StoredClaim, nowMs: number): ProvenPlatform {
  const holds = nowMs < Date.parse(expiresAt) && CERTIFICATION_LEVELS.includes(level);
  return { platform, certified: { level, domains: holds ? domains : [] }, status };
}
