import type { Payload } from "./payload.ts";

/** Occurs before the first value, between two values and after the last one. */
export const VALUE_SEPARATOR = "\u001F";

// Inside a value the separator is written as an escape and two digits. The three control characters of escapes are
// escaped themselves. So an escaped term is found in an escaped text exactly where the term is found in the text.
const ESCAPES: Readonly<Record<string, string>> = {
  "\u001B": "\u001B\u001C\u001C",
  "\u001C": "\u001B\u001C\u001D",
  "\u001D": "\u001B\u001D\u001C",
  "\u001F": "\u001B\u001D\u001D",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters the format is made of
const ESCAPED = /[\u001B\u001C\u001D\u001F]/g;

/**
 * Writes the text in which a payload is searched: each field's value, folded, in the payload's order.
 *
 * Out: `SEP v1 SEP v2 SEP ... vn SEP`, escaped so that a separator inside a value is not one.
 * Refuses: never. Source: decision V21.
 */
export function payloadToSearchText(payload: Payload): string {
  let text = VALUE_SEPARATOR;
  for (const value of Object.values(payload)) text += escapeSearchText(fold(valueText(value))) + VALUE_SEPARATOR;
  return text;
}

/** Returns a value as search compares it: a string unchanged, anything else as compact JSON. Source: decision V21. */
function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Folds both sides of a search that ignores case, independently of the database's locale. Source: decision V21. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** Escapes a text as in a search text. */
export function escapeSearchText(text: string): string {
  return text.replace(ESCAPED, (character) => ESCAPES[character] as string);
}
