import type { EName } from "@dataspace/protocol/ename";
import type { ReadScope } from "../access/read-scope.ts";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import { searchCondition } from "./search-condition.ts";

/** A WHERE clause over meta_envelope with its values, and a name for its shape where it may be prepared. */
export interface FilterClause {
  readonly text: string;
  readonly values: unknown[];
  /** undefined for a search: its best plan depends on the term, so PostgreSQL is let to plan each. */
  readonly shape: string | undefined;
}

/** Writes what a caller may see of an owner's active MetaEnvelopes under a filter. Source: S1 "metaEnvelopes filter"; V13. */
export function filterClause(owner: EName, scope: ReadScope, filter: MetaEnvelopeFilter): FilterClause {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["owner = $1", "not removed", "acl_block is null"];
  if (scope.kind !== "owner") conditions.push("not quarantined");
  if (scope.kind === "listed") conditions.push(`acl && ${parameter(scope.entries)}::text[]`);
  if (filter.ontologyId !== undefined) conditions.push(`ontology = ${parameter(filter.ontologyId)}`);
  if (filter.search !== undefined) conditions.push(searchCondition(filter.search, parameter));
  const shape = `${scope.kind}${filter.ontologyId === undefined ? "" : ":ontology"}`;
  return { text: conditions.join(" and "), values, shape: filter.search === undefined ? shape : undefined };
}
