import { refusal } from "../errors.ts";
import { isStorable } from "./payload.ts";

/** How a search term is compared with a value. Source: S1 "metaEnvelopes filter". */
export type SearchMode = "CONTAINS" | "STARTS_WITH" | "EXACT";

/** A search over field values: the term, the fields (undefined: all), the mode, and whether case matters. */
export interface Search {
  readonly term: string;
  readonly fields: readonly string[] | undefined;
  readonly mode: SearchMode;
  readonly caseSensitive: boolean;
}

/** The filter of a list of MetaEnvelopes. */
export interface MetaEnvelopeFilter {
  readonly ontologyId: string | undefined;
  readonly search: Search | undefined;
  /** Only binding documents of this type. */
  readonly bindingType?: string;
}

/** The filter as the GraphQL input has it; every member may be absent or null. */
export interface MetaEnvelopeFilterInput {
  readonly ontologyId?: string | null;
  readonly search?: {
    readonly term?: string | null;
    readonly caseSensitive?: boolean | null;
    readonly fields?: readonly string[] | null;
    readonly mode?: SearchMode | null;
  } | null;
}

const MAX_TERM_CHARACTERS = 256;
const MAX_FIELDS = 20;
const MAX_FIELD_CHARACTERS = 1_024;
const MAX_ONTOLOGY_CHARACTERS = 256;

/**
 * Reads a filter: no term or an empty one means no search, no fields or an empty list means all fields.
 *
 * Refuses: BAD_USER_INPUT (ontology or term over 256 characters, more than 20 fields, a field over 1,024 characters),
 * INVALID_TEXT.
 * Source: S1 "metaEnvelopes filter"; decisions V7, V19, V21, V25.
 */
export function readFilter(input: MetaEnvelopeFilterInput | null | undefined): MetaEnvelopeFilter {
  const ontologyId = input?.ontologyId ?? undefined;
  if (ontologyId !== undefined) assertSearchable(ontologyId, "filter.ontologyId", MAX_ONTOLOGY_CHARACTERS);
  return { ontologyId, search: readSearch(input?.search) };
}

function readSearch(input: MetaEnvelopeFilterInput["search"]): Search | undefined {
  const term = input?.term ?? "";
  const fields = input?.fields ?? [];
  assertSearchable(term, "filter.search.term", MAX_TERM_CHARACTERS);
  if (fields.length > MAX_FIELDS) {
    throw refusal("BAD_USER_INPUT", `A search names at most ${MAX_FIELDS} fields.`, "filter.search.fields");
  }
  for (const field of fields) assertSearchable(field, "filter.search.fields", MAX_FIELD_CHARACTERS);
  if (term === "") return undefined;
  return {
    term,
    fields: fields.length === 0 ? undefined : fields,
    mode: input?.mode ?? "CONTAINS",
    caseSensitive: input?.caseSensitive ?? false,
  };
}

function assertSearchable(text: string, field: string, maxCharacters: number): void {
  // A character has one or two units. The units are counted first, since splitting a long text into characters takes
  // much memory.
  if (text.length > 2 * maxCharacters || [...text].length > maxCharacters) {
    throw refusal("BAD_USER_INPUT", `The text has at most ${maxCharacters} characters.`, field);
  }
  if (isStorable(text)) return;
  throw refusal("INVALID_TEXT", "The text holds U+0000 or an unpaired surrogate; remove it.", field);
}
