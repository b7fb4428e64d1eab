/**
 * Reads an absolute URL.
 *
 * Out: undefined for text that is none. `URL.parse` answers the same, but Node has it from version 22 on only.
 * Refuses: never. Source: WHATWG URL.
 */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
