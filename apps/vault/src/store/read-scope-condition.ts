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
  const byArray = [`${row}acl_key is null`];
  if (arrays.kind !== "owner") byArray.push(`not ${row}quarantined`);
  if (arrays.kind === "listed") byArray.push(`${row}acl && ${parameter(arrays.entries)}::text[]`);
  if (arrays.kind === "none") byArray.push("false");
  const withoutPolicy = byArray.join(" and ");
  return policies.length === 0
    ? withoutPolicy
    : `(${withoutPolicy} or ${row}acl_key = any (${parameter(policies)}::text[]))`;
}

/** Names the shape of that condition: the same for every caller who sees in the same way. */
export function scopeShape({ arrays, policies }: ReadScope): string {
  return policies.length === 0 ? arrays.kind : `${arrays.kind}:policies`;
}

/** Tells whether a caller may see nothing at all. */
export function seesNothing({ arrays, policies }: ReadScope): boolean {
  return arrays.kind === "none" && policies.length === 0;
}
