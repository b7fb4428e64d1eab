import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { EName } from "@dataspace/protocol/ename";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import { scopeShape, visibleIn } from "./read-scope-condition.ts";
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
  const conditions = ["owner = $1", "not removed", visibleIn(scope, parameter)];
  if (filter.ontologyId !== undefined) conditions.push(`ontology = ${parameter(filter.ontologyId)}`);
  if (filter.bindingType !== undefined) conditions.push(bindingTypeCondition(filter.bindingType, parameter));
  if (filter.search !== undefined) conditions.push(searchCondition(filter.search, parameter));
  const narrowed = `${filter.ontologyId === undefined ? "" : ":ontology"}${filter.bindingType === undefined ? "" : ":type"}`;
  const shape = `${scopeShape(scope)}${narrowed}`;
  return { text: conditions.join(" and "), values, shape: filter.search === undefined ? shape : undefined };
}

// The ontology stands in the text itself, since only then a prepared statement can use the index of these documents alone.
function bindingTypeCondition(type: string, parameter: (value: unknown) => string): string {
  return `ontology = '${BINDING_DOCUMENT_ONTOLOGY}' and payload::json ->> 'type' = ${parameter(type)}`;
}
