import type { ReadScope } from "../meta-envelopes/read-scope.ts";

/**
 * Writes what a caller may see as a condition on a MetaEnvelope's row; `row` is the table's alias with its dot, if it has one.
 *
 * Source: S1 "Access guard"; decision V13.
 */
export function visibleIn(
  { arrays, policies }: ReadScope,
  parameter: (value: unknown) => string,
  row: "" | "m." = "",
): string {
  const withoutPolicy = visibleByArray(arrays, parameter, row);
  return policies.length === 0
    ? withoutPolicy
    : `(${withoutPolicy} or ${row}acl_key = any (${parameter(policies)}::text[]))`;
}

/** Writes the part of that condition that is about MetaEnvelopes without a policy. */
export function visibleByArray(
  arrays: ReadScope["arrays"],
  parameter: (value: unknown) => string,
  row: "" | "m." = "",
): string {
  return `${row}acl_key is null and ${byArray(arrays, parameter, row)}`;
}

function byArray(arrays: ReadScope["arrays"], parameter: (value: unknown) => string, row: string): string {
  switch (arrays.kind) {
    case "owner":
      return "true";
    case "all":
      return `not ${row}quarantined`;
    case "all-and-openings":
      return `(not ${row}quarantined or ${row}opened_by is not null)`;
    case "listed":
      // The first half follows from the second; said, it lets the index of what others may see be used.
      return `(${row}acl is not null or ${row}opened_by is not null) and (not ${row}quarantined and ${row}acl && ${parameter(arrays.entries)}::text[]
        or ${row}opened_by = ${parameter(arrays.ename)})`;
    case "none":
      return "false";
  }
}

/** Names the shape of that condition: the same for every caller who sees in the same way. */
export function scopeShape({ arrays, policies }: ReadScope): string {
  return policies.length === 0 ? arrays.kind : `${arrays.kind}:policies`;
}

/** Tells whether a caller may see nothing at all. */
export function seesNothing({ arrays, policies }: ReadScope): boolean {
  return arrays.kind === "none" && policies.length === 0;
}
