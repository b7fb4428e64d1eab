import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";

/**
 * Says in sentences what an owner's terms allow platforms. They hold for all platforms alike. An engine without a
 * minimum, or a minimum without an engine, asks nothing. Refuses: never. Source: decisions A1, A2.
 */
export function termsWords(terms: OwnerPolicyTerms): readonly string[] {
  const { minimumLevel, reputationEngine, minimumReputation, allowedDomains, deniedDomains } = terms;
  if (allowedDomains?.length === 0) return ["All certified platforms are blocked from every domain."];
  return [
    `A platform needs a certificate of level ${minimumLevel} or higher.`,
    allowedDomains === null
      ? "It may use the domains that its certificate grants."
      : `It may use at most these domains, where its certificate grants them: ${allowedDomains.join(", ")}.`,
    ...(deniedDomains.length === 0 ? [] : [`No platform may use: ${deniedDomains.join(", ")}.`]),
    ...(reputationEngine === null || minimumReputation === null
      ? []
      : [`Its reputation at ${reputationEngine} must be at least ${minimumReputation}.`]),
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

/** What terms say about a platform: its reputation is unknown here. */
export type TermsAnswer = "admitted" | "refused" | "depends on its reputation";

/** Decides whether the terms admit a platform of a level to a domain. Refuses: never. Source: decision A2. */
export function answerOfTerms(
  terms: OwnerPolicyTerms,
  platform: { readonly level: string; readonly domain: string },
): TermsAnswer {
  const { minimumLevel, reputationEngine, minimumReputation } = terms;
  if (platform.level < minimumLevel || !admitsDomain(terms, platform.domain)) return "refused";
  return reputationEngine === null || minimumReputation === null ? "admitted" : "depends on its reputation";
}

/** Whether the terms admit some platform to a domain. Refuses: never. */
export function admitsDomain({ allowedDomains, deniedDomains }: OwnerPolicyTerms, domain: string): boolean {
  return (allowedDomains === null || allowedDomains.includes(domain)) && !deniedDomains.includes(domain);
}
