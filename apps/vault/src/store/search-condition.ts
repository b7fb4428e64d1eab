import type { Search, SearchMode } from "../meta-envelopes/meta-envelope-filter.ts";
import { escapeSearchText, fold, VALUE_SEPARATOR } from "../meta-envelopes/search-text.ts";
import type { Parameter } from "./read-scope-condition.ts";

/** The longest value compared without a regular expression; at this length the work per character is small. */
const SHORT_CHARACTERS = 16;

/**
 * Writes a search as a condition on a MetaEnvelope's row.
 *
 * The folded search text alone decides a search over all fields that ignores case. Where fields are named or case
 * matters it only narrows, and each field's value is compared again. Folded values are found by their place in the
 * search text, since a database folds by its locale. Unfolded ones come from the payload's own JSON text, since jsonb
 * would change their form.
 *
 * Out: SQL over `search` and `payload`; a term never acts as a pattern. Source: S1 "metaEnvelopes filter"; decision
 * V21.
 */
export function searchCondition(search: Search, parameter: Parameter): string {
  const needle = escapeSearchText(fold(search.term));
  if (search.caseSensitive && !isFoldedInParts(search.term)) return inPayload(search, parameter);
  const narrowed = inSearchText(needle, search.mode, parameter);
  if (search.caseSensitive) return `(${narrowed} and ${inPayload(search, parameter)})`;
  return search.fields === undefined ? narrowed : `(${narrowed} and ${inNamedFields(search, needle, parameter)})`;
}

/**
 * Checks whether folding a text folds each of its parts alike, so that a folded text contains the folded term. Only the
 * Greek capital sigma depends on its neighbours.
 */
function isFoldedInParts(term: string): boolean {
  return !term.includes("Σ");
}

function inSearchText(needle: string, mode: SearchMode, parameter: Parameter): string {
  const start = mode === "CONTAINS" ? "" : VALUE_SEPARATOR;
  const end = mode === "EXACT" ? VALUE_SEPARATOR : "";
  const text = `${start}${needle}${end}`;
  // The trigram index finds words of three letters and more; for anything shorter it would be read completely. Such a
  // search is written so that it cannot use the index, and is answered from the list's own order.
  if (!/[\p{L}\p{N}]{3}/u.test(needle)) return contains("search", text, parameter);
  const narrowed = `search like ${parameter(`%${escapeLike([...text].slice(0, SHORT_CHARACTERS).join(""))}%`)}`;
  return isShort(text) ? narrowed : `(${narrowed} and ${contains("search", text, parameter)})`;
}

/**
 * Writes that a value contains a text. The comparisons of `like` and `position` restart at each character, so a long
 * repetitive text would take quadratic time; a literal regular expression takes one pass.
 */
function contains(value: string, text: string, parameter: Parameter): string {
  return isShort(text)
    ? `position(${parameter(text)}::text in ${value}) > 0`
    : `${value} ~ ${parameter(`***=${text}`)}::text`;
}

function isShort(text: string): boolean {
  return [...text].length <= SHORT_CHARACTERS;
}

function inNamedFields(search: Search, needle: string, parameter: Parameter): string {
  return `exists (
    select 1 from unnest(string_to_array(substr(search, 2, greatest(length(search) - 2, 0)), ${parameter(VALUE_SEPARATOR)}))
                    with ordinality as field_value (text, place)
      join json_object_keys(payload::json) with ordinality as field (name, place) using (place)
     where field.name = any(${parameter(search.fields)}::text[]) and ${matches("field_value.text", { mode: search.mode, term: needle }, parameter)})`;
}

function inPayload(search: Search, parameter: Parameter): string {
  const named = search.fields === undefined ? "" : `field.key = any(${parameter(search.fields)}::text[]) and `;
  return `exists (
    select 1 from json_each_text(payload::json) as field (key, value)
     where ${named}${matches("coalesce(field.value, 'null')", search, parameter)})`;
}

function matches(value: string, { mode, term }: Pick<Search, "mode" | "term">, parameter: Parameter): string {
  switch (mode) {
    case "CONTAINS":
      return contains(value, term, parameter);
    case "STARTS_WITH":
      return `starts_with(${value}, ${parameter(term)}::text)`;
    case "EXACT":
      return `${value} = ${parameter(term)}::text`;
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
