import { CERTIFICATION_LEVELS, type CertificationLevel } from "@dataspace/protocol/owner-policy";
import type { CertifiedPlatform } from "@dataspace/access/decide-by-gates";
import type { EName } from "@dataspace/protocol/ename";

/**
 * What a platform has proven by evidence, as stored with the consumer. `expiresAt` is when its certificate ends, ISO
 * 8601.
 */
export interface StoredClaim {
  readonly platform: EName;
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
  readonly expiresAt: string;
}

/**
 * Computes what a claim is worth now: a certificate that has ended covers no domain.
 *
 * Refuses: never. Source: decision E9.
 */
export function claimAt(
  { platform, level, domains, expiresAt }: StoredClaim,
  nowMs: number,
): { readonly platform: EName; readonly certified: CertifiedPlatform } {
  const holds = nowMs < Date.parse(expiresAt) && CERTIFICATION_LEVELS.includes(level);
  return { platform, certified: { level, domains: holds ? domains : [] } };
}
