import { CERTIFICATION_LEVELS, type CertificationLevel, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";

/** What a platform is certified for: its level, and the domains that its certificate grants and its release asked for. */
export interface CertifiedPlatform {
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
}

/**
 * May a certified platform reach records of a domain under an owner's terms?
 *
 * `domain` is undefined for an ontology that has none. `reputation` is what the owner's reputation engine says of the platform
 * now, undefined where it says nothing that counts.
 */
export interface GateQuestion {
  readonly certified: CertifiedPlatform;
  readonly terms: OwnerPolicyTerms;
  readonly domain: string | undefined;
  readonly reputation: number | undefined;
}

/** Why a gate is closed, in the order in which the reasons are looked for. Source: decision A2. */
export type GateRefusal =
  | "DOMAIN_NOT_CERTIFIED"
  | "DOMAIN_REFUSED_BY_OWNER"
  | "DOMAIN_OUTSIDE_ALLOWLIST"
  | "LEVEL_BELOW_POLICY"
  | "REPUTATION_ENGINE_NOT_ACCEPTED"
  | "REPUTATION_BELOW_POLICY";

/**
 * Decides by the two gates: the certificate has the domain, then the owner's policy admits domain, level and reputation.
 *
 * Out: the first reason to refuse, or undefined where both gates are open. Refuses: never.
 * Source: S3 "Platform authentication" (two independent gates); decisions A1, A2, A5.
 */
export function decideByGates({ certified, terms, domain, reputation }: GateQuestion): GateRefusal | undefined {
  if (domain === undefined || !certified.domains.includes(domain)) return "DOMAIN_NOT_CERTIFIED";
  if (terms.deniedDomains.includes(domain)) return "DOMAIN_REFUSED_BY_OWNER";
  if (terms.allowedDomains !== null && !terms.allowedDomains.includes(domain)) return "DOMAIN_OUTSIDE_ALLOWLIST";
  if (rank(certified.level) < rank(terms.minimumLevel)) return "LEVEL_BELOW_POLICY";
  const wanted = wantedReputation(terms);
  if (wanted === undefined) return undefined;
  if (reputation === undefined) return "REPUTATION_ENGINE_NOT_ACCEPTED";
  return reputation >= wanted.minimum ? undefined : "REPUTATION_BELOW_POLICY";
}

/**
 * The reputation that an owner asks of platforms: from which engine, and how much at least.
 *
 * Out: undefined where the terms name an engine without a minimum, a minimum without an engine, or neither. Source: decision A1.
 */
export function wantedReputation({
  reputationEngine,
  minimumReputation,
}: OwnerPolicyTerms):
  | { readonly engine: NonNullable<OwnerPolicyTerms["reputationEngine"]>; readonly minimum: number }
  | undefined {
  if (reputationEngine === null || minimumReputation === null) return undefined;
  return { engine: reputationEngine, minimum: minimumReputation };
}

/**
 * Lists the ontologies whose records both gates let a platform reach: what a list may hold at most.
 *
 * In: the domain of every ontology that has one. Refuses: never. Source: decisions A2, A5.
 */
export function reachableOntologies(
  asked: Omit<GateQuestion, "domain">,
  domainByOntology: ReadonlyMap<string, string>,
): readonly string[] {
  const open = new Set(asked.certified.domains.filter((domain) => decideByGates({ ...asked, domain }) === undefined));
  return [...domainByOntology].flatMap(([ontology, domain]) => (open.has(domain) ? [ontology] : []));
}

function rank(level: CertificationLevel): number {
  return CERTIFICATION_LEVELS.indexOf(level);
}
