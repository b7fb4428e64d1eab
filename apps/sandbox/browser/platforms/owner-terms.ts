import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { TERMS_TEXTS } from "./platforms-texts.ts";

/**
 * Says in sentences what an owner's terms allow platforms. They hold for all platforms alike. An engine without a
 * minimum, or a minimum without an engine, asks nothing. Refuses: never. Source: decisions A1, A2.
 */
export function termsWords(terms: OwnerPolicyTerms): readonly string[] {
  const { minimumLevel, reputationEngine, minimumReputation, allowedDomains, deniedDomains } = terms;
  if (allowedDomains?.length === 0) return [TERMS_TEXTS.blocked];
  return [
    TERMS_TEXTS.level(minimumLevel),
    allowedDomains === null ? TERMS_TEXTS.anyDomain : TERMS_TEXTS.onlyDomains(allowedDomains.join(", ")),
    ...(deniedDomains.length === 0 ? [] : [TERMS_TEXTS.deniedDomains(deniedDomains.join(", "))]),
    ...(reputationEngine === null || minimumReputation === null
      ? []
      : [TERMS_TEXTS.reputation(reputationEngine, minimumReputation)]),
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

/** What terms say about a platform; `depends` on its reputation, which is unknown here. */
export type TermsAnswer = "admitted" | "refused" | "depends";

/** Decides whether the terms admit a platform of a level to a domain. Refuses: never. Source: decision A2. */
export function answerOfTerms(
  terms: OwnerPolicyTerms,
  platform: { readonly level: string; readonly domain: string },
): TermsAnswer {
  const { minimumLevel, reputationEngine, minimumReputation } = terms;
  if (platform.level < minimumLevel || !admitsDomain(terms, platform.domain)) return "refused";
  return reputationEngine === null || minimumReputation === null ? "admitted" : "depends";
}

/** Whether the terms admit some platform to a domain. Refuses: never. */
export function admitsDomain({ allowedDomains, deniedDomains }: OwnerPolicyTerms, domain: string): boolean {
  return (allowedDomains === null || allowedDomains.includes(domain)) && !deniedDomains.includes(domain);
}
