import type { Statement } from "@dataspace/service-kit/postgres/database";
import { filterConditions } from "./meta-envelope-filter.ts";
import { listOrder, type MetaEnvelopeListing, type Stretch, VISIBLE_COLUMNS } from "./meta-envelope-listing.ts";
import {
  arrayKeys,
  isAdmittedByKind,
  ontologyKeys,
  type Parameter,
  policyKeys,
  scopeShape,
  underArray,
  visibleIn,
} from "./read-scope-condition.ts";

/**
 * Writes the statement that reads a part of a list for a caller who is not the owner. It reads what each array and each
 * policy shows, in order through an index with nothing else in it, and merges the results. Only visible rows are
 * filtered and searched, so cost and answer reveal nothing about others.
 *
 * Source: decisions V13, V27.
 */
export function partsStatement(listing: MetaEnvelopeListing, { rowLimit, direction, behind }: Stretch): Statement {
  const { parts, values, parameter, shape } = readParts(listing);
  const after = direction === "forward" ? ">" : "<";
  const place =
    behind === undefined ? "" : ` and (ord, id) ${after} (${parameter(behind.ord)}::bigint, ${parameter(behind.id)})`;
  const order = listOrder(direction);
  const inOrder = `order by ${order} limit ${parameter(rowLimit)}::int`;
  const selects = parts.map(({ keys, seen, filter }) => {
    const rows =
      filter === ""
        ? `select ${VISIBLE_COLUMNS} from meta_envelope where ${seen}${place} ${inOrder}`
        : `select ${VISIBLE_COLUMNS} from (select * from meta_envelope where ${seen}${place} order by ${order} offset 0) as seen
            where ${filter} ${inOrder}`;
    return keys === undefined ? rows : `select one.* from (${keys}) as reach cross join lateral (${rows}) as one`;
  });
  return {
    text: `select * from (${selects.map((select) => `(${select})`).join(" union all ")}) as visible ${inOrder}`,
    values,
    ...(shape === undefined
      ? {}
      : { name: `list-parts:${shape}:${direction}${behind === undefined ? "" : ":behind"}` }),
  };
}

/** Writes the statement that counts such a list. Source: decisions V3, V27. */
export function partsCount(listing: MetaEnvelopeListing): Statement {
  const { parts, values, shape } = readParts(listing);
  const counts = parts.map(({ keys, seen, filter }) => {
    const rows =
      filter === ""
        ? `select count(*) as n from meta_envelope where ${seen}`
        : `select count(*) as n from (select * from meta_envelope where ${seen} offset 0) as seen where ${filter}`;
    return keys === undefined
      ? `(${rows})`
      : `(select coalesce(sum(one.n), 0) from (${keys}) as reach cross join lateral (${rows}) as one)`;
  });
  return {
    text: `select (${counts.join(" + ")})::bigint as n`,
    values,
    ...(shape === undefined ? {} : { name: `count-parts:${shape}` }),
  };
}

/**
 * A part of what a caller sees: the keys to read by, if any, the visible rows, and the filter. The two conditions are
 * on different levels of the statement, where the planner cannot evaluate the second before the first.
 */
interface Part {
  readonly keys: string | undefined;
  readonly seen: string;
  readonly filter: string;
}

interface Parts {
  readonly parts: readonly Part[];
  readonly values: unknown[];
  readonly parameter: Parameter;
  readonly shape: string | undefined;
}

function readParts({ owner, scope, filter }: MetaEnvelopeListing): Parts {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { ofOntology, others, shape } = filterConditions(filter, parameter);
  const active = "owner = $1 and not removed";
  const gated = ontologyKeys(scope, parameter);
  const reached = gated === undefined ? [] : [`ontology in (${gated})`];
  const all = [...ofOntology, ...reached, ...others].join(" and ");
  const [arrays, policies] = [arrayKeys(scope, parameter), policyKeys(scope, parameter)];
  const parts: Part[] = [];
  if (arrays !== undefined) parts.push({ keys: arrays, seen: `${active} and ${underArray("reach.key")}`, filter: all });
  if (policies !== undefined) parts.push({ keys: policies, seen: `${active} and acl_key = reach.key`, filter: all });
  if (isAdmittedByKind(scope)) {
    // A platform token sees almost everything, so the index of its ontology may be used; an evidence session reads
    // ontology by ontology.
    const one = gated === undefined ? ofOntology : ["ontology = reach.key"];
    const seen = [active, visibleIn({ ...scope, policies: [] }, parameter), ...one].join(" and ");
    parts.push({ keys: gated, seen, filter: others.join(" and ") });
  }
  return { parts, values, parameter, shape: shape === undefined ? undefined : `${scopeShape(scope)}${shape}` };
}
