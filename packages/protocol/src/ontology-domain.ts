import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY, FILE_ONTOLOGY, ONTOLOGY_ID } from "./ontology-id.ts";

const { Task, TaskAttachment, TaskNote, TaskReference, Project, Company, CompanyProjectLink } = ONTOLOGY_ID;

const ONTOLOGIES_BY_DOMAIN: Readonly<Record<string, readonly string[]>> = {
  identity: [ONTOLOGY_ID.User, ONTOLOGY_ID.ProfessionalProfile],
  social: [ONTOLOGY_ID.SocialMediaPost, ONTOLOGY_ID.Bookmark, ONTOLOGY_ID.CommunityActivity, ONTOLOGY_ID.Reference],
  communication: [ONTOLOGY_ID.Chat, ONTOLOGY_ID.Message],
  governance: [
    ONTOLOGY_ID.Poll,
    ONTOLOGY_ID.Vote,
    ONTOLOGY_ID.GroupManifest,
    ONTOLOGY_ID.CharterSignature,
    ONTOLOGY_ID.Membership,
  ],
  finance: [ONTOLOGY_ID.Currency, ONTOLOGY_ID.Account, ONTOLOGY_ID.Ledger],
  files: [ONTOLOGY_ID.File, ONTOLOGY_ID.Signature, FILE_ONTOLOGY],
  work: [
    ...[Task, TaskAttachment, TaskNote, TaskReference],
    ...[Project, Company, CompanyProjectLink, ONTOLOGY_ID.ContributorCapacity],
  ],
  calendar: [ONTOLOGY_ID.CalendarEvent, ONTOLOGY_ID.CalendarAvailability],
};

/**
 * The domain of each ontology that has one. Others are `unclassified`, which no certificate reaches: binding documents,
 * access policies, and ontologies that an operator did not add.
 *
 * Source: decision A5.
 */
export const DOMAIN_BY_ONTOLOGY: ReadonlyMap<string, string> = new Map(
  Object.entries(ONTOLOGIES_BY_DOMAIN).flatMap(([domain, ontologies]) =>
    ontologies.map((ontology) => [ontology, domain] as const),
  ),
);

const DOMAIN = /^[a-z][a-z0-9-]{0,31}$/;
const MAX_ADDED = 10_000;
const MAX_ONTOLOGY_CHARACTERS = 256;
const NEVER: ReadonlySet<string> = new Set([BINDING_DOCUMENT_ONTOLOGY, ACCESS_POLICY_ONTOLOGY]);

/**
 * Adds an operator's ontologies to those that have a domain.
 *
 * In: an object of domains by ontology, such as `{"my-ontology": "social"}`, at most 10,000. Out: the whole table, or what is wrong
 * with the addition: it moves a known ontology to another domain, or gives one to binding documents or access policies.
 * Refuses: never. Source: decision A5.
 */
export function extendDomains(
  added: unknown,
): { readonly value: ReadonlyMap<string, string> } | { readonly fault: string } {
  if (typeof added !== "object" || added === null || Array.isArray(added)) {
    return { fault: 'must be a JSON object such as {"<ontology>": "<domain>"}' };
  }
  const entries = Object.entries(added as Readonly<Record<string, unknown>>);
  if (entries.length > MAX_ADDED) return { fault: `must have at most ${MAX_ADDED} ontologies` };
  const table = new Map(DOMAIN_BY_ONTOLOGY);
  for (const [ontology, domain] of entries) {
    const at = JSON.stringify(ontology.slice(0, 64));
    if (ontology === "" || ontology.length > MAX_ONTOLOGY_CHARACTERS) return { fault: `${at} is no ontology` };
    if (typeof domain !== "string" || !DOMAIN.test(domain) || domain === "unclassified") {
      return { fault: `${at} must have a domain of a-z, 0-9 and -, other than unclassified` };
    }
    if (NEVER.has(ontology)) return { fault: `${at} stays unclassified; remove it` };
    if ((DOMAIN_BY_ONTOLOGY.get(ontology) ?? domain) !== domain) {
      return { fault: `${at} has the domain ${DOMAIN_BY_ONTOLOGY.get(ontology)}; remove it` };
    }
    table.set(ontology, domain);
  }
  return { value: table };
}
