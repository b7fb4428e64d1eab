import { FILE_ONTOLOGY, ONTOLOGY_ID } from "./ontology-id.ts";

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
