import type { Asker, Expected, Filter, Operation, Paging } from "./operation.ts";
import { oracleAllows } from "./oracle-access.ts";
import { searchMeets } from "./oracle-input.ts";
import type { OracleRecord, OracleState } from "./oracle-state.ts";

/** A read of one asker. */
export interface ReadContext {
  readonly owner: string;
  readonly state: OracleState;
  readonly asker: Asker;
  /** The most records that a list without pages gives. */
  readonly unpagedCap: number;
}

type Of<Name extends Operation["do"]> = Extract<Operation, { do: Name }>;
const NOBODY: Expected = { refused: ["UNAUTHENTICATED"] };

/** metaEnvelope and getMetaEnvelopeById. Source: decision V13. */
export function oracleRead(context: ReadContext, { id }: Of<"read" | "getById">): Expected {
  if (context.asker.kind === "anonymous") return NOBODY;
  const record = context.state.records.get(id);
  return { value: record !== undefined && isSeen(context, record) ? record : null };
}

/** The lists without pages. Source: decision V13. */
export function oracleListAll(context: ReadContext, operation: Of<"find" | "search" | "all">): Expected {
  if (context.asker.kind === "anonymous") return NOBODY;
  const filter: Filter =
    operation.do === "all"
      ? {}
      : operation.do === "find"
        ? { ontologyId: operation.ontology }
        : { ontologyId: operation.ontology, search: { term: operation.term } };
  const found = visible(context, filter);
  return found.length > context.unpagedCap ? { refused: ["RESULT_TOO_LARGE"] } : { value: found };
}

/** One page as the oracle has it: the items with their places, oldest or newest first as the list has it. */
export interface OraclePage<Item> {
  readonly items: readonly { readonly item: Item; readonly place: number }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/** metaEnvelopes. Source: S1 "Pagination"; decisions V3, V13, V21. */
export function oracleList(context: ReadContext, operation: Of<"list">): Expected {
  if (context.asker.kind === "anonymous") return NOBODY;
  const refused = pagingFaults(operation);
  if (refused.length > 0) return { refused };
  const found = visible(context, operation.filter).map((item) => ({ item, place: item.place }));
  return { value: cutPage(found, operation, (a, b) => a - b) };
}

/** metaEnvelopeHistory: newest first. Source: decisions V3, V13. */
export function oracleHistory(context: ReadContext, operation: Of<"history">): Expected {
  if (context.asker.kind === "anonymous") return NOBODY;
  const refused = pagingFaults(operation);
  if (refused.length > 0) return { refused };
  const record = context.state.records.get(operation.id);
  const seen = record !== undefined && oracleAllows(context.owner, record, context.asker, "READ");
  const versions = seen ? record.versions.toReversed().map((item) => ({ item, place: item.version })) : [];
  return { value: cutPage(versions, operation, (a, b) => b - a) };
}

/** GET /logs: newest first. Source: decisions V3, V10. */
export function oracleLogs(context: ReadContext, operation: Of<"logs">): Expected {
  if (context.asker.kind === "anonymous") return NOBODY;
  const refused = pagingFaults(operation);
  if (refused.length > 0) return { refused };
  const isOwner = context.asker.kind === "person" && context.asker.ename === context.owner;
  const entries = context.state.logs.map((item, place) => ({ item, place })).toReversed();
  const seen = entries.filter(
    ({ item }) =>
      isOwner || oracleAllows(context.owner, context.state.records.get(item.metaEnvelopeId)!, context.asker, "READ"),
  );
  return { value: cutPage(seen, operation, (a, b) => b - a) };
}

function isSeen({ owner, asker }: ReadContext, record: OracleRecord): boolean {
  return !record.removed && oracleAllows(owner, record, asker, "READ");
}

function visible(context: ReadContext, { ontologyId, search }: Filter): readonly OracleRecord[] {
  return [...context.state.records.values()].filter(
    (record) =>
      isSeen(context, record) &&
      (ontologyId === undefined || record.ontology === ontologyId) &&
      searchMeets(search, record.payload),
  );
}

function pagingFaults({ size, cursor }: Paging): readonly string[] {
  return [
    ...(size !== undefined && size < 1 ? ["INVALID_PAGINATION"] : []),
    ...(cursor !== undefined && cursor.place === undefined ? ["BAD_CURSOR"] : []),
  ];
}

function cutPage<Item>(
  all: readonly { readonly item: Item; readonly place: number }[],
  { size, backward = false, cursor }: Paging,
  order: (a: number, b: number) => number,
): OraclePage<Item> {
  const limit = Math.min(size ?? 20, 100);
  const rest = all.filter(({ place }) => {
    if (cursor?.place === undefined) return true;
    return backward ? order(place, cursor.place) < 0 : order(place, cursor.place) > 0;
  });
  const items = backward ? rest.slice(-limit) : rest.slice(0, limit);
  const more = rest.length > limit;
  const begun = cursor !== undefined;
  return {
    items,
    hasNextPage: backward ? begun : more,
    hasPreviousPage: backward ? more : begun,
    totalCount: all.length,
  };
}
