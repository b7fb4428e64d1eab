import type { Search, SearchMode } from "../meta-envelopes/meta-envelope-filter.ts";
import { escapeSearchText, fold, VALUE_SEPARATOR } from "../meta-envelopes/search-text.ts";

/** Adds a value to the statement and gives the parameter that stands for it. */
type Parameter = (value: unknown) => string;

/**
 * Writes a search as a condition on a MetaEnvelope's row.
 *
 * The folded search text alone decides a search over all fields that ignores case. Where fields are named or case counts it
 * only narrows, and each field's value is compared again: folded values by their place in the search text, since a
 * database folds by its locale, and unfolded ones from the payload's own JSON text, since jsonb would print them anew.
 *
 * Out: SQL over `search` and `payload`; a term is never a pattern of its own. Source: S1 "metaEnvelopes filter"; decision V21.
 */
export function searchCondition(search: Search, parameter: Parameter): string {
  const needle = escapeSearchText(fold(search.term));
  if (search.caseSensitive && !isFoldedInParts(search.term)) return inPayload(search, parameter);
  const narrowed = inSearchText(needle, search.mode, parameter);
  if (search.caseSensitive) return `(${narrowed} and ${inPayload(search, parameter)})`;
  return search.fields === undefined ? narrowed : `(${narrowed} and ${inNamedFields(search, needle, parameter)})`;
}

/**
 * Tells whether folding a text folds each of its parts alike, so that a text that contains the term contains the folded term
 * when folded. Only the Greek capital sigma folds by its neighbours.
 */
function isFoldedInParts(term: string): boolean {
  return !term.includes("Σ");
}

function inSearchText(needle: string, mode: SearchMode, parameter: Parameter): string {
  const start = mode === "CONTAINS" ? "" : VALUE_SEPARATOR;
  const end = mode === "EXACT" ? VALUE_SEPARATOR : "";
  const text = `${start}${needle}${end}`;
  // The trigram index finds words of three letters and more; anything shorter would make it read all of itself, so such a
  // search is written in a way that cannot use it and is answered from the list's own order.
  if (!/[\p{L}\p{N}]{3}/u.test(needle)) return `position(${parameter(text)} in search) > 0`;
  return `search like ${parameter(`%${escapeLike(text)}%`)}`;
}

function inNamedFields(search: Search, needle: string, parameter: Parameter): string {
  return `exists (
    select 1 from unnest(string_to_array(substr(search, 2, greatest(length(search) - 2, 0)), ${parameter(VALUE_SEPARATOR)}))
                    with ordinality as field_value (text, place)
      join json_object_keys(payload::json) with ordinality as field (name, place) using (place)
     where field.name = any(${parameter(search.fields)}::text[]) and ${matches("field_value.text", search.mode, parameter(needle))})`;
}

function inPayload(search: Search, parameter: Parameter): string {
  const named = search.fields === undefined ? "" : `field.key = any(${parameter(search.fields)}::text[]) and `;
  return `exists (
    select 1 from json_each_text(payload::json) as field (key, value)
     where ${named}${matches("coalesce(field.value, 'null')", search.mode, parameter(search.term))})`;
}

function matches(value: string, mode: SearchMode, term: string): string {
  switch (mode) {
    case "CONTAINS":
      return `position(${term}::text in ${value}) > 0`;
    case "STARTS_WITH":
      return `starts_with(${value}, ${term}::text)`;
    case "EXACT":
      return `${value} = ${term}::text`;
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
