import type { Payload } from "./vault-session.ts";

/** What changed of one field: its text before and after, undefined where it was not there. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Compares two versions of a record field by field, by the JSON of each; a version that was removed has no fields.
 *
 * Out: the fields that differ, by name. Refuses: never.
 */
export function payloadDiff(before: Payload | null, after: Payload | null): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names
    .map((field) => ({ field, before: textOf(before, field), after: textOf(after, field) }))
    .filter((change) => change.before !== change.after);
}

function textOf(payload: Payload | null, field: string): string | undefined {
  return payload !== null && Object.hasOwn(payload, field) ? JSON.stringify(payload[field]) : undefined;
}
