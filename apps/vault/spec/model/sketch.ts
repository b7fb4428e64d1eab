import fc from "fast-check";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Role } from "./operation.ts";

/** An access array before it is known who the people are. */
export type AclSketch = readonly ("owner" | "listed" | "LISTED" | "*" | "bob")[];

/** An access policy before it is known who the people are. */
export interface PolicySketch {
  readonly grants: readonly { readonly who: "owner" | "listed" | "stranger"; readonly perms: number }[];
  readonly denied: readonly ("owner" | "listed" | "stranger")[];
  readonly default_perms: number;
  readonly open: boolean;
}

/** An input before it is known who the people are. */
export interface InputSketch {
  readonly ontology: string;
  readonly payload: JsonValue;
  readonly acl: AclSketch | null | undefined;
  /** null takes a policy away. */
  readonly policy: PolicySketch | null | undefined;
}

/** Which record is meant: one of the latest few, any of the owner's, another owner's, or none. */
export interface RecordSketch {
  readonly among: "latest" | "any" | "foreign" | "unknown";
  readonly n: number;
}

/** A page: `cursor` one of this list's that was met before, another list's, one of no list, or none. */
export interface PagingSketch {
  readonly size: number | undefined;
  readonly backward: boolean;
  readonly cursor: { readonly of: "this" | "other" | "none" | "made"; readonly n: number };
}

/** A search, or none. */
export interface FilterSketch {
  readonly ontologyId: string | undefined;
  readonly search:
    | {
        readonly term: string;
        readonly caseSensitive: boolean;
        readonly fields: readonly string[];
        readonly mode: "CONTAINS" | "STARTS_WITH" | "EXACT";
      }
    | undefined;
}

/** One operation before its ids, names and cursors are known: drawn ahead, so that a run can be repeated and cut. */
export type OperationSketch =
  | { readonly do: "create" | "store"; readonly input: InputSketch }
  | { readonly do: "update" | "updateById"; readonly record: RecordSketch; readonly input: InputSketch }
  | { readonly do: "remove" | "deleteById" | "read" | "getById"; readonly record: RecordSketch }
  | { readonly do: "rollback"; readonly record: RecordSketch; readonly version: number }
  | {
      readonly do: "bulk";
      readonly inputs: readonly (InputSketch & { readonly id: string | undefined })[];
      readonly skipWebhooks: boolean;
    }
  | { readonly do: "updateValue"; readonly record: RecordSketch; readonly field: string; readonly newValue: JsonValue }
  | { readonly do: "list"; readonly filter: FilterSketch; readonly paging: PagingSketch }
  | { readonly do: "find"; readonly ontology: string }
  | { readonly do: "search"; readonly ontology: string; readonly term: string }
  | { readonly do: "all" }
  | { readonly do: "history"; readonly record: RecordSketch; readonly paging: PagingSketch }
  | { readonly do: "logs"; readonly paging: PagingSketch };

/** One request: who sends it, at which of the servers, with a token used before or a fresh one, and what it asks. */
export interface RequestSketch {
  readonly role: Role;
  readonly server: number;
  readonly reusesToken: boolean;
  readonly onBehalfOf: boolean;
  readonly operations: readonly OperationSketch[];
}

const ONTOLOGIES = ["note", "task", "550e8400-e29b-41d4-a716-446655440001", "Ünï cödé"];
const FIELDS = ["a", "b", "title", "7", "k.e y", "ß"];
const TEXTS = [
  "Alpha",
  "alphabet",
  "BETA",
  "straße STRASSE",
  "ΣΑΣ",
  "ΣΑΣΑ",
  "İstanbul",
  "100%",
  "a_b",
  "back\\slash",
  "",
  "\u001f",
  "😀 x",
];
const TERMS = [
  "alp",
  "ALPHA",
  "a",
  "straße",
  "σασ",
  "ΣΑΣ",
  "%",
  "_",
  "\\",
  "1",
  "null",
  "true",
  '{"x":',
  "[1,",
  "\u001f",
  "",
  "😀",
];
const WRONG_TEXTS = ["nul \u0000", "half \ud800"];
const BINDING = "b1d0a8c3-4e5f-6789-0abc-def012345678";

function weighted<T>(...options: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

const scalar = weighted<JsonValue>(
  [6, fc.constantFrom(...TEXTS)],
  [4, fc.constantFrom<JsonValue>(0, 1, -1.5, 42, 1e21, 5e-324, 0.1, 9007199254740992)],
  [2, fc.constantFrom<JsonValue>(true, false, null)],
);
const value = weighted<JsonValue>(
  [8, scalar],
  [1, fc.array(scalar, { maxLength: 3 })],
  [1, fc.dictionary(fc.constantFrom("x", "y"), scalar, { maxKeys: 2, noNullPrototype: true })],
);
const wrongValue = fc.constantFrom<JsonValue>(
  ...WRONG_TEXTS,
  { deep: [WRONG_TEXTS[0]!] },
  JSON.parse('{"__proto__":1}'),
);
const goodPayload = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 4, noNullPrototype: true });
const payload = weighted<JsonValue>(
  [40, goodPayload],
  [6, fc.constant({})],
  [1, fc.constantFrom<JsonValue>("text", 1, [], JSON.parse('{"__proto__":1}'))],
  [1, wrongValue.map((bad) => ({ a: 1, bad }))],
);
const ontology = weighted([40, fc.constantFrom(...ONTOLOGIES)], [1, fc.constantFrom("", "x".repeat(257), BINDING)]);
const acl = weighted<AclSketch | null | undefined>(
  [8, fc.constant(undefined)],
  [1, fc.constant(null)],
  [8, fc.subarray(["owner", "listed", "LISTED", "*"] as const)],
  [1, fc.constant(["owner", "bob"] as const)],
);
const policy = fc.record({
  grants: fc.uniqueArray(
    fc.record({
      who: fc.constantFrom("owner" as const, "listed" as const, "stranger" as const),
      perms: fc.integer({ min: 0, max: 15 }),
    }),
    { maxLength: 3, selector: ({ who }) => who },
  ),
  denied: weighted<PolicySketch["denied"]>(
    [4, fc.constant([])],
    [1, fc.subarray(["owner", "listed", "stranger"] as const)],
  ),
  default_perms: fc.integer({ min: 0, max: 15 }),
  open: fc.boolean(),
});
const inputWith = (policies: readonly (readonly [number, fc.Arbitrary<InputSketch["policy"]>])[]) =>
  fc.record<InputSketch>({ ontology, payload, acl, policy: weighted(...policies) });
const record = weighted<RecordSketch["among"]>(
  [12, fc.constant("latest")],
  [6, fc.constant("any")],
  [1, fc.constant("foreign")],
  [1, fc.constant("unknown")],
).chain((among) => fc.record({ among: fc.constant(among), n: fc.nat(1_000) }));
const safePaging: fc.Arbitrary<PagingSketch> = fc.record({
  size: fc.constantFrom(undefined, 1, 2, 3, 5, 100, 1_000),
  backward: fc.boolean(),
  cursor: fc.record({ of: fc.constantFrom("none" as const, "this" as const), n: fc.nat(1_000) }),
});
const anyPaging: fc.Arbitrary<PagingSketch> = weighted(
  [6, safePaging],
  [
    1,
    fc.record({
      size: fc.constantFrom(undefined, 0, -1, 2),
      backward: fc.boolean(),
      cursor: fc.record({ of: fc.constantFrom("none" as const, "other" as const, "made" as const), n: fc.nat(1_000) }),
    }),
  ],
);
const filter: fc.Arbitrary<FilterSketch> = fc.record({
  ontologyId: fc.constantFrom(undefined, undefined, ...ONTOLOGIES),
  search: weighted<FilterSketch["search"]>(
    [2, fc.constant(undefined)],
    [
      1,
      fc.record({
        term: fc.constantFrom(...TERMS, ...TEXTS),
        caseSensitive: fc.boolean(),
        fields: fc.constantFrom<readonly string[]>([], ["a"], ["title", "k.e y"], ["7", "nowhere"]),
        mode: fc.constantFrom("CONTAINS" as const, "STARTS_WITH" as const, "EXACT" as const),
      }),
    ],
  ),
});

function operations(policies: boolean) {
  const none = [3, fc.constant(undefined)] as const;
  const input = inputWith(policies ? [none, [1, policy]] : [none]);
  const change = inputWith(policies ? [none, [1, policy], [1, fc.constant(null)]] : [none]);
  const create = fc.record({ do: fc.constantFrom("create" as const), input });
  const update = fc.record({ do: fc.constant("update" as const), record, input: change });
  const remove = fc.record({ do: fc.constant("remove" as const), record });
  const rollback = fc.record({
    do: fc.constant("rollback" as const),
    record,
    version: fc.integer({ min: -1, max: 6 }),
  });
  const bulk = fc.record({
    do: fc.constant("bulk" as const),
    inputs: fc.array(
      fc
        .tuple(input, fc.constantFrom(undefined, undefined, "preset-1", "preset:2", "preset@3.x", "no/slash"))
        .map(([item, id]) => ({ ...item, id })),
      { maxLength: 3 },
    ),
    skipWebhooks: fc.boolean(),
  });
  const read = fc.record({ do: fc.constantFrom("read" as const, "getById" as const), record });
  const history = (paging: fc.Arbitrary<PagingSketch>) =>
    fc.record({
      do: fc.constant("history" as const),
      record,
      paging: paging.map((page) => ({ ...page, backward: false })),
    });
  const list = (paging: fc.Arbitrary<PagingSketch>) => fc.record({ do: fc.constant("list" as const), filter, paging });
  const write = weighted<OperationSketch>([5, create], [6, update], [3, remove], [4, rollback], [2, bulk]);
  const single = weighted<OperationSketch>(
    [4, fc.record({ do: fc.constant("store" as const), input })],
    [2, fc.record({ do: fc.constant("updateById" as const), record, input: change })],
    [2, fc.record({ do: fc.constant("deleteById" as const), record })],
    [
      4,
      fc.record({
        do: fc.constant("updateValue" as const),
        record,
        field: fc.constantFrom(...FIELDS),
        newValue: weighted([20, value.filter((one) => one !== null)], [1, wrongValue]),
      }),
    ],
    [3, list(anyPaging)],
    [2, history(anyPaging)],
    [
      4,
      fc.record({ do: fc.constant("logs" as const), paging: anyPaging.map((page) => ({ ...page, backward: false })) }),
    ],
    [1, fc.record({ do: fc.constant("find" as const), ontology: fc.constantFrom(...ONTOLOGIES) })],
    [
      1,
      fc.record({
        do: fc.constant("search" as const),
        ontology: fc.constantFrom(...ONTOLOGIES),
        term: fc.constantFrom(...TERMS),
      }),
    ],
    [1, fc.constant({ do: "all" as const })],
  );
  const safeRead = weighted<OperationSketch>([5, read], [3, list(safePaging)], [3, history(safePaging)]);
  return weighted<readonly OperationSketch[]>(
    [6, fc.array(write, { minLength: 1, maxLength: 3 })],
    [4, single.map((one) => [one])],
    [4, fc.array(safeRead, { minLength: 1, maxLength: 6 })],
  );
}

/** Draws requests from a seed: the same seed, the same requests. `policies` adds `_acl` to inputs. */
export function drawRequests(drawn: {
  readonly seed: number;
  readonly count: number;
  readonly policies: boolean;
}): readonly RequestSketch[] {
  const role = weighted<Role>(
    [18, fc.constant("owner")],
    [6, fc.constant("listed")],
    [3, fc.constant("stranger")],
    [6, fc.constant("platform")],
    [2, fc.constant("reader")],
    [2, fc.constant("anonymous")],
    [3, fc.constant("asserted")],
  );
  const request = fc
    .record({
      role,
      server: fc.nat(7),
      reusesToken: weighted([9, fc.constant(false)], [1, fc.constant(true)]),
      onBehalfOf: fc.boolean(),
      operations: operations(drawn.policies),
    })
    // Each operation of a stranger without credential is refused, and a refusal may leave nothing else of the answer.
    .map((one) => (one.role === "anonymous" ? { ...one, operations: one.operations.slice(0, 1) } : one));
  return fc.sample(request, { seed: drawn.seed, numRuns: drawn.count });
}
