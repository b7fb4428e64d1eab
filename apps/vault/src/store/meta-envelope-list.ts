import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/database";
import type { ReadScope } from "../access/read-scope.ts";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { filterClause } from "./meta-envelope-filter.ts";

/** Which MetaEnvelopes a list holds: an owner's, as far as the caller may read them, under a filter. */
export interface MetaEnvelopeListing {
  readonly owner: EName;
  readonly scope: ReadScope;
  readonly filter: MetaEnvelopeFilter;
}

/** A place in creation order; the list goes on behind it. */
export interface CreationPlace {
  readonly ord: number;
  readonly id: string;
}

/** A stretch of a list: so many rows, in creation order or against it, behind a place. */
export interface Stretch {
  readonly rowLimit: number;
  readonly direction: "forward" | "backward";
  readonly behind: CreationPlace | undefined;
}

/** Reads a stretch of a list through the index that has its order. Source: S1 "metaEnvelopes"; decisions V3, V13. */
export async function listMetaEnvelopes(
  database: Queryable,
  listing: MetaEnvelopeListing,
  { rowLimit, direction, behind }: Stretch,
): Promise<readonly VisibleMetaEnvelope[]> {
  if (listing.scope.kind === "none") return [];
  const { text, values, shape } = filterClause(listing.owner, listing.scope, listing.filter);
  const [after, order] = direction === "forward" ? [">", "asc"] : ["<", "desc"];
  const place =
    behind === undefined
      ? ""
      : ` and (ord, id) ${after} ($${values.push(behind.ord)}::bigint, $${values.push(behind.id)})`;
  const limit = `$${values.push(rowLimit)}::int`;
  const found = await database.query<VisibleMetaEnvelope>({
    text: `select id, ontology, payload as "payloadText", ord from meta_envelope where ${text}${place}
 order by ord ${order}, id ${order} limit ${limit}`,
    values,
    ...(shape === undefined ? {} : { name: `list:${shape}:${direction}${behind === undefined ? "" : ":behind"}` }),
  });
  return found.rows;
}

/**
 * Counts a list exactly. For the owner without a search the counters answer; any other count reads what it counts.
 *
 * Source: S1 "totalCount"; decision V3.
 */
export async function countMetaEnvelopes(database: Queryable, listing: MetaEnvelopeListing): Promise<number> {
  if (listing.scope.kind === "none") return 0;
  if (listing.scope.kind === "owner" && listing.filter.search === undefined) return sumCounters(database, listing);
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
