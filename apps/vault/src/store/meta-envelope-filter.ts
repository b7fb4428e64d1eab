import { BINDING_DOCUMENT_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { EName } from "@dataspace/protocol/ename";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import { type Parameter, scopeShape, visibleIn } from "./read-scope-condition.ts";
import { searchCondition } from "./search-condition.ts";

/** A WHERE clause over meta_envelope with its values, and a name for its form where it may be prepared. */
export interface FilterClause {
  readonly text: string;
  readonly values: unknown[];
  /** undefined for a search: its best plan depends on the term, so PostgreSQL plans each one. */
  readonly shape: string | undefined;
}

/** Writes the owner's visible MetaEnvelopes under a filter as a clause. Source: S1 "metaEnvelopes filter"; V13. */
export function filterClause(owner: EName, scope: ReadScope, filter: MetaEnvelopeFilter): FilterClause {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const visible = visibleIn(scope, parameter);
  const { ofOntology, others, shape } = filterConditions(filter, parameter);
  return {
    text: ["owner = $1", "not removed", visible, ...ofOntology, ...others].join(" and "),
    values,
    shape: shape === undefined ? undefined : `${scopeShape(scope)}${shape}`,
  };
}

/** A filter as conditions: by ontology, and by payload or search text. The form is undefined for a search. */
export interface FilterConditions {
  readonly ofOntology: readonly string[];
  readonly others: readonly string[];
  readonly shape: string | undefined;
}

/** Writes a filter as conditions on a MetaEnvelope's row. Source: S1 "metaEnvelopes filter". */
export function filterConditions(
  { ontologyId, bindingType, search }: MetaEnvelopeFilter,
  parameter: Parameter,
): FilterConditions {
  const others: string[] = [];
  const ofOntology = ontologyId === undefined ? [] : [`ontology = ${parameter(ontologyId)}`];
  if (bindingType !== undefined) others.push(bindingTypeCondition(bindingType, parameter));
  if (search !== undefined) others.push(searchCondition(search, parameter));
  const narrowed = `${ontologyId === undefined ? "" : ":ontology"}${bindingType === undefined ? "" : ":type"}`;
  return { ofOntology, others, shape: search === undefined ? narrowed : undefined };
}

// The ontology is written into the text, since only then a prepared statement can use the partial index of these
// documents.
function bindingTypeCondition(type: string, parameter: Parameter): string {
  return `ontology = '${BINDING_DOCUMENT_ONTOLOGY}' and payload::json ->> 'type' = ${parameter(type)}`;
}
