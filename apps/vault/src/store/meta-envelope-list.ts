import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { fillInArrays, type WithArrayColumn } from "./array-column.ts";
import { type BoundedRows, queryWithin } from "./bounded-rows.ts";
import { filterClause } from "./meta-envelope-filter.ts";
import { partsCount, partsStatement } from "./meta-envelope-list-parts.ts";
import {
  listOrder,
  type MetaEnvelopeListing,
  type Stretch,
  VISIBLE_BYTES,
  VISIBLE_COLUMNS,
} from "./meta-envelope-listing.ts";
import { narrowScope, seesNothing } from "./read-scope-condition.ts";

/**
 * Reads a part of a list: for the owner through the index with its order, otherwise through the indexes with each
 * visible part in its order. Its rows are loaded only where they are within the byte limit.
 *
 * Source: S1 "metaEnvelopes"; decisions V3, V13, V25, V27.
 */
export async function listMetaEnvelopes(
  database: Queryable,
  given: MetaEnvelopeListing,
  stretch: Stretch,
): Promise<BoundedRows<VisibleMetaEnvelope>> {
  const listing = narrow(given);
  if (seesNothing(listing.scope)) return { bytes: 0, rows: [] };
  const statement = isOwners(listing) ? wholeStatement(listing, stretch) : partsStatement(listing, stretch);
  const bounded = { ...statement, order: listOrder(stretch.direction), rowBytes: VISIBLE_BYTES };
  const { bytes, rows } = await queryWithin<WithArrayColumn<VisibleMetaEnvelope>>(database, bounded, stretch.mostBytes);
  return { bytes, rows: rows && fillInArrays<VisibleMetaEnvelope>(rows, listing.owner) };
}

function narrow(listing: MetaEnvelopeListing): MetaEnvelopeListing {
  return { ...listing, scope: narrowScope(listing.scope, listing.filter.ontologyId) };
}

function isOwners({ scope }: MetaEnvelopeListing): boolean {
  return scope.arrays.kind === "owner";
}

function wholeStatement(listing: MetaEnvelopeListing, { rowLimit, direction, behind }: Stretch): Statement {
  const { text, values, shape } = filterClause(listing.owner, listing.scope, listing.filter);
  const after = direction === "forward" ? ">" : "<";
  const place =
    behind === undefined
      ? ""
      : ` and (ord, id) ${after} ($${values.push(behind.ord)}::bigint, $${values.push(behind.id)})`;
  const limit = `$${values.push(rowLimit)}::int`;
  return {
    text: `select ${VISIBLE_COLUMNS} from meta_envelope where ${text}${place}
 order by ${listOrder(direction)} limit ${limit}`,
    values,
    ...(shape === undefined ? {} : { name: `list:${shape}:${direction}${behind === undefined ? "" : ":behind"}` }),
  };
}

/**
 * Counts a list exactly. For the owner without a search or a type the counters give the number of MetaEnvelopes without
 * a policy; everything else is read to be counted.
 *
 * Source: S1 "totalCount"; decision V3.
 */
export async function countMetaEnvelopes(database: Queryable, given: MetaEnvelopeListing): Promise<number> {
  const listing = narrow(given);
  if (seesNothing(listing.scope)) return 0;
  const { policies } = listing.scope;
  if (!isOwners(listing)) return countParts(database, listing);
  const { search, bindingType } = listing.filter;
  if ((search ?? bindingType) !== undefined) return countRows(database, listing);
  const counted = await sumCounters(database, listing);
  if (policies.length === 0) return counted;
  const underPolicies = { ...listing.scope, arrays: { kind: "none" } } as const;
  return counted + (await countParts(database, { ...listing, scope: underPolicies }));
}

async function countParts(database: Queryable, listing: MetaEnvelopeListing): Promise<number> {
  return (await database.query<{ n: number }>(partsCount(listing))).rows[0]?.n ?? 0;
}

async function countRows(database: Queryable, listing: MetaEnvelopeListing): Promise<number> {
  const { text, values, shape } = filterClause(listing.owner, listing.scope, listing.filter);
  const found = await database.query<{ n: number }>({
    text: `select count(*) as n from meta_envelope where ${text}`,
    values,
    ...(shape === undefined ? {} : { name: `count:${shape}` }),
  });
  return found.rows[0]?.n ?? 0;
}

async function sumCounters(database: Queryable, { owner, filter }: MetaEnvelopeListing): Promise<number> {
  const ofOntology = filter.ontologyId === undefined ? "" : " and ontology = $2";
  const found = await database.query<{ n: number }>({
    name: `counters${ofOntology === "" ? "" : ":ontology"}`,
    text: `select coalesce(sum(n), 0)::bigint as n from record_count where owner = $1${ofOntology}`,
    values: filter.ontologyId === undefined ? [owner] : [owner, filter.ontologyId],
  });
  return found.rows[0]?.n ?? 0;
}
