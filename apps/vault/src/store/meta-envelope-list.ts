import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { fillInArrays } from "./array-column.ts";
import { filterClause } from "./meta-envelope-filter.ts";
import { isReadInParts, partsCount, partsStatement } from "./meta-envelope-list-parts.ts";
import { type MetaEnvelopeListing, type Stretch, VISIBLE_COLUMNS } from "./meta-envelope-listing.ts";
import { seesNothing } from "./read-scope-condition.ts";

/**
 * Reads a stretch of a list through the index that has its order; for a caller who sees a part of it through the indexes that
 * have each part of what they see in its order. Source: S1 "metaEnvelopes"; decisions V3, V13.
 */
export async function listMetaEnvelopes(
  database: Queryable,
  listing: MetaEnvelopeListing,
  stretch: Stretch,
): Promise<readonly VisibleMetaEnvelope[]> {
  if (seesNothing(listing.scope)) return [];
  const statement = isReadInParts(listing) ? partsStatement(listing, stretch) : wholeStatement(listing, stretch);
  return fillInArrays<VisibleMetaEnvelope>(await database.query(statement), listing.owner);
}

function wholeStatement(listing: MetaEnvelopeListing, { rowLimit, direction, behind }: Stretch): Statement {
  const { text, values, shape } = filterClause(listing.owner, listing.scope, listing.filter);
  const [after, order] = direction === "forward" ? [">", "asc"] : ["<", "desc"];
  const place =
    behind === undefined
      ? ""
      : ` and (ord, id) ${after} ($${values.push(behind.ord)}::bigint, $${values.push(behind.id)})`;
  const limit = `$${values.push(rowLimit)}::int`;
  return {
    text: `select ${VISIBLE_COLUMNS} from meta_envelope where ${text}${place}
 order by ord ${order}, id ${order} limit ${limit}`,
    values,
    ...(shape === undefined ? {} : { name: `list:${shape}:${direction}${behind === undefined ? "" : ":behind"}` }),
  };
}

/**
 * Counts a list exactly. For the owner without a search or a type the counters answer for what carries no policy; anything else
 * is read to be counted.
 *
 * Source: S1 "totalCount"; decision V3.
 */
export async function countMetaEnvelopes(database: Queryable, listing: MetaEnvelopeListing): Promise<number> {
  if (seesNothing(listing.scope)) return 0;
  const { arrays, policies } = listing.scope;
  if (isReadInParts(listing)) return (await database.query<{ n: number }>(partsCount(listing))).rows[0]?.n ?? 0;
  const { search, bindingType } = listing.filter;
  if (arrays.kind !== "owner" || (search ?? bindingType) !== undefined) return countRows(database, listing);
  const counted = await sumCounters(database, listing);
  if (policies.length === 0) return counted;
  return counted + (await countRows(database, { ...listing, scope: { arrays: { kind: "none" }, policies } }));
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
