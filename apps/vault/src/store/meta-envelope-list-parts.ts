import type { Statement } from "@dataspace/service-kit/postgres/database";
import { type MetaEnvelopeListing, type Stretch, VISIBLE_COLUMNS } from "./meta-envelope-listing.ts";
import { scopeShape, visibleByArray } from "./read-scope-condition.ts";

// Each policy is one range of an index, from which a whole stretch may have to be read.
const MOST_POLICIES = 100;

/**
 * Tells whether a list is read in parts: what is open to the caller without a policy, and each of the policies that let them read. It pays for
 * a caller named by arrays, who may see so little of the whole that reading through it in order would never end. A search and
 * binding documents of a type have indexes of their own.
 */
export function isReadInParts({ scope: { arrays, policies }, filter }: MetaEnvelopeListing): boolean {
  const few = policies.length > 0 && policies.length <= MOST_POLICIES;
  return arrays.kind === "listed" && few && (filter.search ?? filter.bindingType) === undefined;
}

/** Writes the statement that reads a stretch of each part in its order and merges them. */
export function partsStatement(listing: MetaEnvelopeListing, { rowLimit, direction, behind }: Stretch): Statement {
  const { common, byArray, policies, values, parameter, shape } = partConditions(listing);
  const [after, order] = direction === "forward" ? [">", "asc"] : ["<", "desc"];
  const place =
    behind === undefined ? "" : ` and (ord, id) ${after} (${parameter(behind.ord)}::bigint, ${parameter(behind.id)})`;
  const inOrder = `order by ord ${order}, id ${order} limit ${parameter(rowLimit)}::int`;
  const part = (condition: string) =>
    `select ${VISIBLE_COLUMNS} from meta_envelope where ${common}${place} and ${condition} ${inOrder}`;
  return {
    name: `list-parts:${shape}:${direction}${behind === undefined ? "" : ":behind"}`,
    text: `select * from (
  (${part(byArray)})
  union all
  (select one.* from unnest(${policies}) as policy (key) cross join lateral (${part("acl_key = policy.key")}) as one)) as visible
 ${inOrder}`,
    values,
  };
}

/** Writes the statement that counts each part. */
export function partsCount(listing: MetaEnvelopeListing): Statement {
  const { common, byArray, policies, values, shape } = partConditions(listing);
  return {
    name: `count-parts:${shape}`,
    text: `select (select count(*) from meta_envelope where ${common} and ${byArray})
  + (select count(*) from meta_envelope where ${common} and acl_key = any (${policies})) as n`,
    values,
  };
}

function partConditions({ owner, scope, filter }: MetaEnvelopeListing) {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const ofOntology = filter.ontologyId === undefined ? "" : ` and ontology = ${parameter(filter.ontologyId)}`;
  return {
    values,
    parameter,
    common: `owner = $1 and not removed${ofOntology}`,
    byArray: visibleByArray(scope.arrays, parameter),
    policies: `${parameter(scope.policies)}::text[]`,
    shape: `${scopeShape(scope)}${ofOntology === "" ? "" : ":ontology"}`,
  };
}
