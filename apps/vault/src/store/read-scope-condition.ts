import type { ReadScope } from "../meta-envelopes/read-scope.ts";

/** Adds a value to a statement and returns its parameter. */
export type Parameter = (value: unknown) => string;

/**
 * Writes what a caller may see whom arrays admit by its kind: the owner, a legacy platform token or an evidence session.
 * It is a condition on a MetaEnvelope's row; `row` is the table's alias with its dot, if it has one. A person whom
 * arrays name is read through {@link arrayKeys} instead, so that no other row is touched.
 *
 * Source: S1 "Access guard"; decision V13.
 */
export function visibleIn({ arrays, policies }: ReadScope, parameter: Parameter, row: "" | "m." = ""): string {
  const withoutPolicy = `${row}acl_key is null and ${BY_KIND[arrays.kind](row)}`;
  return policies.length === 0
    ? withoutPolicy
    : `(${withoutPolicy} or ${row}acl_key = any (${parameter(policies)}::text[]))`;
}

const BY_KIND: Readonly<Record<ReadScope["arrays"]["kind"], (row: string) => string>> = {
  owner: () => "true",
  all: (row) => `not ${row}quarantined`,
  "all-and-openings": (row) => `(not ${row}quarantined or ${row}opened_by is not null)`,
  listed: () => "false",
  none: () => "false",
};

/** Writes the condition that a MetaEnvelope is under the array of a key, in the form that its index has. */
export function underArray(key: string): string {
  return `acl_key is null and (acl is not null or opened_by is not null) and array_key(acl, opened_by, quarantined) = ${key}`;
}

/**
 * Writes the keys of the arrays that admit a caller, as a table of one column; undefined where arrays do not decide by name.
 *
 * Source: decision V27.
 */
export function arrayKeys({ arrays }: ReadScope, parameter: Parameter): string | undefined {
  if (arrays.kind !== "listed") return undefined;
  return `select distinct array_key as key from array_reader where owner = $1 and reader = any (${parameter(arrays.entries)}::text[])`;
}

/** Writes the keys of the policies that let a caller read, as a table of one column; undefined where none does. */
export function policyKeys({ policies }: ReadScope, parameter: Parameter): string | undefined {
  return policies.length === 0 ? undefined : `select unnest(${parameter(policies)}::text[]) as key`;
}

/**
 * Writes the ontologies that a caller may see, as a table of one column; undefined where it may see all.
 *
 * Source: decision A2.
 */
export function ontologyKeys({ ontologies }: ReadScope, parameter: Parameter): string | undefined {
  return ontologies === undefined ? undefined : `select unnest(${parameter(ontologies)}::text[]) as key`;
}

/**
 * Checks whether arrays admit a caller by its kind, and not by its name: the owner, a legacy platform token or an
 * evidence session.
 */
export function isAdmittedByKind({ arrays }: ReadScope): boolean {
  return arrays.kind !== "listed" && arrays.kind !== "none";
}

/** Names the form of what a caller sees: the same for every caller with the same form. */
export function scopeShape({ arrays, policies, ontologies }: ReadScope): string {
  return `${arrays.kind}${policies.length === 0 ? "" : ":policies"}${ontologies === undefined ? "" : ":gated"}`;
}

/** Checks whether a caller may see nothing at all. */
export function seesNothing({ arrays, policies, ontologies }: ReadScope): boolean {
  return ontologies?.length === 0 || (arrays.kind === "none" && policies.length === 0);
}

/** Limits what a caller may see to one ontology: to nothing, or to all of that ontology. */
export function narrowScope(scope: ReadScope, ontology: string | undefined): ReadScope {
  if (scope.ontologies === undefined || ontology === undefined) return scope;
  return { ...scope, ontologies: scope.ontologies.includes(ontology) ? undefined : [] };
}
