import type { Conversion, GlobalLookups, Issue, LocalLookups, PendingReference } from "./conversion.ts";
import type { Mapping } from "./mapping.ts";
import type { Entity } from "./path.ts";

/** A converted row or payload, what was left out of it, and which relations wait for their target. */
export interface Converted {
  readonly result: Entity;
  readonly issues: readonly Issue[];
  readonly pending: readonly PendingReference[];
}

/**
 * Converts a row to the payload of its record.
 *
 * Refuses: RowFault; never for what a value is, only for where it cannot be put. Source: S3 "Adapter operations"; decision A3.
 */
export function toGlobal(mapping: Mapping, row: Entity, lookups: GlobalLookups): Converted {
  const conversion: Conversion<GlobalLookups> = { result: {}, lookups, issues: [], pending: [] };
  for (const entry of mapping.entries) entry.toGlobal(row, conversion);
  return conversion;
}

/**
 * Converts a payload to the shape of a row: the inverse of `toGlobal`.
 *
 * Refuses: RowFault. Source: S3 "Adapter operations"; decision A3.
 */
export function fromGlobal(mapping: Mapping, payload: Entity, lookups: LocalLookups): Converted {
  const conversion: Conversion<LocalLookups> = { result: {}, lookups, issues: [], pending: [] };
  for (const entry of mapping.entries) entry.fromGlobal(payload, conversion);
  return conversion;
}
