import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/database";
import type { MetaEnvelopeFilter } from "../meta-envelopes/meta-envelope-filter.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { filterClause } from "./meta-envelope-filter.ts";
import { seesNothing } from "./read-scope-condition.ts";

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

const VISIBLE_COLUMNS = `id, ontology, payload as "payloadText", coalesce(acl, array[owner]) as acl, acl_block as "aclBlock",
  quarantined, ord`;

/** Reads a stretch of a list through the index that has its order. Source: S1 "metaEnvelopes"; decisions V3, V13. */
export async function listMetaEnvelopes(
  database: Queryable,
  listing: MetaEnvelopeListing,
  { rowLimit, direction, behind }: Stretch,
): Promise<readonly VisibleMetaEnvelope[]> {
  if (seesNothing(listing.scope)) return [];
  const { text, values, shape } = filterClause(listing.owner, listing.scope, listing.filter);
  const [after, order] = direction === "forward" ? [">", "asc"] : ["<", "desc"];
  const place =
    behind === undefined
      ? ""
      : ` and (ord, id) ${after} ($${values.push(behind.ord)}::bigint, $${values.push(behind.id)})`;
  const limit = `$${values.push(rowLimit)}::int`;
  const found = await database.query<VisibleMetaEnvelope>({
    text: `select ${VISIBLE_COLUMNS} from meta_envelope where ${text}${place}
 order by ord ${order}, id ${order} limit ${limit}`,
    values,
    ...(shape === undefined ? {} : { name: `list:${shape}:${direction}${behind === undefined ? "" : ":behind"}` }),
  });
  return found.rows;
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
