import {
  ACCESS_POLICY_ONTOLOGY,
  BINDING_DOCUMENT_ONTOLOGY,
  FILE_ONTOLOGY,
  ONTOLOGY_ID,
} from "@dataspace/protocol/ontology-id";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { shorten } from "../shown-text.ts";
import { ONTOLOGY_TEXTS } from "./ontology-texts.ts";
import type { Payload } from "./record.ts";

/** A text field of a form: the payload's field, its label, and whether it has several lines. */
export interface FormField {
  readonly name: string;
  /** Another name of the field: where a record has it instead, the form edits that one. */
  readonly otherName?: string;
  readonly label: string;
  readonly isLong?: boolean;
}

const FIELDS = ONTOLOGY_TEXTS.fields;
const DESCRIPTION: FormField = { name: "description", label: FIELDS.description, isLong: true };
const CONTENT: FormField = { name: "content", otherName: "text", label: FIELDS.content, isLong: true };
const NAME: FormField = { name: "name", label: FIELDS.name };

/** The fields that a form offers, by ontology; other ontologies are edited as JSON. Source: S1 ontologies. */
const FORMS: Readonly<Record<string, readonly FormField[]>> = {
  [ONTOLOGY_ID.User]: [
    { name: "displayName", label: FIELDS.displayName },
    { name: "bio", label: FIELDS.bio, isLong: true },
    { name: "location", label: FIELDS.location },
    { name: "website", label: FIELDS.website },
  ],
  [ONTOLOGY_ID.ProfessionalProfile]: [
    { name: "displayName", label: FIELDS.displayName },
    { name: "headline", label: FIELDS.headline },
    { name: "bio", label: FIELDS.bio, isLong: true },
  ],
  [ONTOLOGY_ID.SocialMediaPost]: [CONTENT],
  [ONTOLOGY_ID.CalendarEvent]: [
    { name: "title", label: FIELDS.title },
    { name: "start", label: FIELDS.start },
    { name: "end", label: FIELDS.end },
    { name: "location", label: FIELDS.location },
    DESCRIPTION,
  ],
  [ONTOLOGY_ID.Task]: [
    { name: "title", label: FIELDS.title },
    { name: "status", label: FIELDS.status },
    { name: "priority", label: FIELDS.priority },
    DESCRIPTION,
  ],
  [ONTOLOGY_ID.GroupManifest]: [NAME, DESCRIPTION],
  [ONTOLOGY_ID.Message]: [CONTENT],
};

const TITLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ONTOLOGY_ID).map(([name, id]) => [id, name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")] as const),
  [ONTOLOGY_ID.User, ONTOLOGY_TEXTS.profile],
  [ONTOLOGY_ID.SocialMediaPost, ONTOLOGY_TEXTS.post],
  [ONTOLOGY_ID.GroupManifest, ONTOLOGY_TEXTS.group],
  [FILE_ONTOLOGY, ONTOLOGY_TEXTS.file],
  [BINDING_DOCUMENT_ONTOLOGY, ONTOLOGY_TEXTS.bindingDocument],
  [ACCESS_POLICY_ONTOLOGY, ONTOLOGY_TEXTS.accessPolicy],
]);

/** The ontologies that only their own operations write. Source: decisions A2, V14. */
const READ_ONLY: ReadonlySet<string> = new Set([ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY]);
const TITLE_FIELDS = ["displayName", "title", "name", "filename", "headline", "content", "text", "subject"];

/** Lists the ontologies that have a form, with their titles. Refuses: never. */
export function ontologiesWithForm(): readonly (readonly [id: string, title: string])[] {
  return Object.keys(FORMS).map((id) => [id, titleOfOntology(id)]);
}

/** Lists all known ontologies with their titles, in the order of the titles. Refuses: never. */
export function knownOntologies(): readonly (readonly [id: string, title: string])[] {
  return [...TITLES].sort(([, one], [, other]) => one.localeCompare(other, "en"));
}

/** Finds the form of an ontology; undefined where it is edited as JSON. Refuses: never. */
export function formOf(ontology: string): readonly FormField[] | undefined {
  return Object.hasOwn(FORMS, ontology) ? FORMS[ontology] : undefined;
}

/** Says what a record is: the ontology's title, or its id where it is unknown. Refuses: never. */
export function titleOfOntology(ontology: string): string {
  return TITLES.get(ontology) ?? visibleText(shorten(ontology, 64));
}

/** Whether the owner edits records of an ontology here. Refuses: never. */
export function isEditable(ontology: string): boolean {
  return !READ_ONLY.has(ontology);
}

/** Finds a title in a record's content, limited to one line of 120 characters. Refuses: never. */
export function titleOfRecord(parsed: Payload): string {
  const text = TITLE_FIELDS.map((name) => (Object.hasOwn(parsed, name) ? parsed[name] : undefined)).find(
    (value) => typeof value === "string" && value.trim() !== "",
  );
  return visibleText(shorten(String(text ?? ONTOLOGY_TEXTS.untitled).replaceAll(/\s{1,1000}/g, " "), 120));
}
