const MEDIA_TYPE =
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}\/[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}(?: ?; ?[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}=(?:[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}|"[\x20\x21\x23-\x5b\x5d-\x7e]{0,127}")){0,4}$/;
const MAX_CHARACTERS = 255;

/**
 * Checks whether a value is a media type that may occur in a header. Refuses: never. Source: RFC 9110 section 8.3.1.
 */
export function isMediaType(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CHARACTERS && MEDIA_TYPE.test(value);
}
