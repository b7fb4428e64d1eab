import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { Payload } from "./record.ts";

/** The change of one field: its text before and after, undefined where it was absent. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Compares two versions of a record field by field, by their JSON; a removed version has no fields.
 *
 * Out: the fields that differ, by name, as texts for display: each hidden character becomes its code point. Refuses:
 * never.
 */
export function payloadDiff(before: Payload | null, after: Payload | null): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names
    .map((field) => ({ field, before: textOf(before, field), after: textOf(after, field) }))
    .filter((change) => change.before !== change.after)
    .map(({ field, before: from, after: to }) => ({
      field: visibleText(field),
      before: toShown(from),
      after: toShown(to),
    }));
}

function toShown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : visibleText(text);
}

function textOf(payload: Payload | null, field: string): string | undefined {
  return payload !== null && Object.hasOwn(payload, field) ? JSON.stringify(payload[field]) : undefined;
}
