import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";

/** Says in sentences what an owner's terms allow platforms. They hold for all platforms alike. Refuses: never. Source: decision A2. */
export function termsWords(terms: OwnerPolicyTerms): readonly string[] {
  const { minimumLevel, reputationEngine, minimumReputation, allowedDomains, deniedDomains } = terms;
  if (allowedDomains?.length === 0) return ["All certified platforms are blocked from every domain."];
  return [
    `A platform needs a certificate of level ${minimumLevel} or higher.`,
    allowedDomains === null
      ? "It may use the domains that its certificate grants."
      : `It may use at most these domains, where its certificate grants them: ${allowedDomains.join(", ")}.`,
    ...(deniedDomains.length === 0 ? [] : [`No platform may use: ${deniedDomains.join(", ")}.`]),
    ...(minimumReputation === null
      ? []
      : [`Its reputation at ${reputationEngine ?? "no engine"} must be at least ${minimumReputation}.`]),
  ];
}

/** Refuses a domain to all platforms. Refuses: never. */
export function withoutDomain(terms: OwnerPolicyTerms, domain: string): OwnerPolicyTerms {
  return { ...terms, deniedDomains: [...terms.deniedDomains.filter((one) => one !== domain), domain] };
}

/** Allows a domain again, as far as a certificate grants it. Refuses: never. */
export function withDomain(terms: OwnerPolicyTerms, domain: string): OwnerPolicyTerms {
  const { allowedDomains, deniedDomains } = terms;
  const allowed = allowedDomains === null ? null : [...allowedDomains.filter((one) => one !== domain), domain];
  return { ...terms, allowedDomains: allowed, deniedDomains: deniedDomains.filter((one) => one !== domain) };
}

/** Blocks all certified platforms from every domain. Refuses: never. */
export function withNothing(terms: OwnerPolicyTerms): OwnerPolicyTerms {
  return { ...terms, allowedDomains: [] };
}

/** Whether the terms let a platform of a level use a domain; the reputation is unknown here. Refuses: never. */
export function permits(
  terms: OwnerPolicyTerms,
  platform: { readonly level: string; readonly domain: string },
): boolean {
  const { minimumLevel, allowedDomains, deniedDomains } = terms;
  const isAllowed = allowedDomains === null || allowedDomains.includes(platform.domain);
  return platform.level >= minimumLevel && isAllowed && !deniedDomains.includes(platform.domain);
}
