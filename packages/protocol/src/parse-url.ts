/**
 * Parses an absolute URL.
 *
 * Out: undefined for an invalid one. `URL.parse` does the same, but Node has it only from version 22 on.
 * Refuses: never. Source: WHATWG URL.
 */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
