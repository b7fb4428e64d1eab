import type { Filter, Input, Operation, Paging, PolicyInput } from "./operation.ts";
import type { OracleState } from "./oracle-state.ts";
import type { FilterSketch, InputSketch, OperationSketch, PagingSketch, PolicySketch, RecordSketch } from "./sketch.ts";

/** The people of one model run. */
export interface Cast {
  readonly owner: string;
  readonly listed: string;
  readonly stranger: string;
  /** A record in another owner's vault. */
  readonly foreignId: string;
}

/** The cursors that were met, by the list they are of, each with its place. */
export type CursorBook = Map<string, { readonly text: string; readonly place: number }[]>;

/** What a sketch is made concrete with. */
export interface World {
  readonly cast: Cast;
  readonly state: OracleState;
  readonly cursors: CursorBook;
}

const LATEST = 6;

/** Makes a drawn operation concrete: its records, people and cursors as they are now. */
export function resolve(world: World, sketch: OperationSketch): Operation {
  const { cast } = world;
  switch (sketch.do) {
    case "create":
    case "store":
      return { do: sketch.do, input: toInput(cast, sketch.input) };
    case "update":
    case "updateById":
      return { do: sketch.do, id: toId(world, sketch.record), input: toInput(cast, sketch.input) };
    case "remove":
    case "deleteById":
    case "read":
    case "getById":
      return { do: sketch.do, id: toId(world, sketch.record) };
    case "rollback":
      return { do: "rollback", id: toId(world, sketch.record), version: sketch.version };
    case "bulk": {
      const inputs = sketch.inputs.map(({ id, ...input }) => ({
        ...toInput(cast, input),
        ...(id === undefined ? {} : { id }),
      }));
      return { do: "bulk", inputs, skipWebhooks: sketch.skipWebhooks };
    }
    case "updateValue": {
      const { field, newValue } = sketch;
      return { do: "updateValue", id: toId(world, sketch.record), field, newValue };
    }
    case "list": {
      const filter = toFilter(sketch.filter);
      return { do: "list", filter, ...toPaging(world, sketch.paging, listName({ do: "list", filter })) };
    }
    case "history": {
      const id = toId(world, sketch.record);
      return { do: "history", id, ...toPaging(world, sketch.paging, listName({ do: "history", id })) };
    }
    case "logs":
      return { do: "logs", ...toPaging(world, sketch.paging, listName({ do: "logs" })) };
    default:
      return sketch;
  }
}

/** The name of a list: cursors belong to one list only. A search without a term is not a search. */
export function listName(
  list:
    | { readonly do: "list"; readonly filter: Filter }
    | { readonly do: "history"; readonly id: string }
    | { readonly do: "logs" },
): string {
  if (list.do !== "list") return list.do === "logs" ? "logs" : `history ${list.id}`;
  const { ontologyId, search } = list.filter;
  return `list ${JSON.stringify([ontologyId ?? null, search === undefined || search.term === "" ? null : search])}`;
}

function toId({ state, cast }: World, { among, n }: RecordSketch): string {
  if (among === "foreign") return cast.foreignId;
  if (among === "unknown" || state.records.size === 0) return `unknown-${n}`;
  const ids = [...state.records.keys()];
  const choice = among === "latest" ? ids.slice(-LATEST) : ids;
  return choice[n % choice.length]!;
}

function toInput(cast: Cast, { ontology, payload, acl, policy }: InputSketch): Input {
  const people = { owner: cast.owner, listed: cast.listed, LISTED: cast.listed.slice(1).toUpperCase() };
  const entries = acl?.map((entry) => (entry === "*" || entry === "bob" ? entry : people[entry]));
  return {
    ontology,
    payload,
    ...(acl === undefined ? {} : { acl: entries ?? null }),
    ...(policy === undefined ? {} : { _acl: policy === null ? null : toPolicy(cast, policy) }),
  };
}

function toPolicy(cast: Cast, { grants, denied, default_perms, open }: PolicySketch): PolicyInput {
  return {
    grants: grants.map(({ who, perms }) => ({ ename: cast[who], perms })),
    ...(denied.length === 0 ? {} : { denials: { enames: denied.map((who) => cast[who]) } }),
    default_perms,
    ...(open ? { require: [[]] } : {}),
  };
}

function toFilter({ ontologyId, search }: FilterSketch): Filter {
  return { ...(ontologyId === undefined ? {} : { ontologyId }), ...(search === undefined ? {} : { search }) };
}

function toPaging({ cursors }: World, { size, backward, cursor }: PagingSketch, name: string): Paging {
  const met = cursor.of === "this" ? (cursors.get(name) ?? []) : [];
  const others = cursor.of === "other" ? [...cursors].flatMap(([of, texts]) => (of === name ? [] : texts)) : [];
  const own = met[cursor.n % Math.max(1, met.length)];
  const other = others[cursor.n % Math.max(1, others.length)]?.text;
  const wrong = cursor.of === "made" ? ["", "bm9uc2Vuc2U", "=="][cursor.n % 3] : other;
  const sent = own ?? (wrong === undefined ? undefined : { text: wrong, place: undefined });
  // Without a size and a cursor nothing says backward.
  return { size, backward: backward && (size !== undefined || sent !== undefined), cursor: sent };
}
