/**
 * Returns the lowest id of attempts that began at a time or later: ids are UUIDv7, which begin with the time. In:
 * milliseconds since the epoch. Refuses: never. Source: RFC 9562 5.7.
 */
export function firstAttemptId(atMs: number): string {
  const time = Math.max(0, Math.floor(atMs)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
