const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Checks whether a value is a time in the form that Dataspace writes: date, time to the second or finer, and its
 * offset, as `Date.parse` reads it.
 *
 * Refuses: never. Source: S1 "Webhook payload" (`occurredAt`); ISO 8601, of which this is a part.
 */
export function isIsoTime(value: unknown): value is string {
  return typeof value === "string" && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value));
}
