const PICKED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads a time as a date picker sends it, in UTC, or with an offset. Out: milliseconds since the epoch; undefined for
 * any other text. Refuses: never. Source: HTML, local date and time strings; RFC 3339.
 */
export function readPickedTime(text: string): number | undefined {
  const iso = PICKED.test(text) ? `${text}Z` : WITH_OFFSET.test(text) ? text : "";
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Writes a time for a date picker, in UTC to the minute. Refuses: never. */
export function toPickedTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}
