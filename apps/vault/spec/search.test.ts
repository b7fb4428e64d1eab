import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

interface SearchInput {
  readonly term: string;
  readonly caseSensitive?: boolean;
  readonly fields?: readonly string[];
  readonly mode?: "CONTAINS" | "STARTS_WITH" | "EXACT";
}

async function search(vault: TestVault, owner: string, input: SearchInput): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter: { search: input }, first: 100, after });
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    const { edges, pageInfo, totalCount } = body.data.metaEnvelopes;
    ids.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
    more = pageInfo.hasNextPage;
    after = pageInfo.endCursor;
    if (!more) assert.equal(totalCount, ids.length);
  }
  return ids;
}

/** What decision V21 says, in plain JavaScript: the oracle. */
function isHit(
  payload: Readonly<Record<string, unknown>>,
  { term, caseSensitive, fields = [], mode }: SearchInput,
): boolean {
  const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const needle = fold(term);
  return Object.entries(payload).some(([key, value]) => {
    if (fields.length > 0 && !fields.includes(key)) return false;
    const text = fold(typeof value === "string" ? value : JSON.stringify(value));
    if (mode === "STARTS_WITH") return text.startsWith(needle);
    return mode === "EXACT" ? text === needle : text.includes(needle);
  });
}

const PAYLOADS: readonly Readonly<Record<string, unknown>>[] = [
  { title: "Hello World", body: "100% sure_thing", n: 42 },
  { title: "hello", body: "C:\\path\\file", n: 4200, tags: ["World", "x"] },
  { title: "ΣΊΣΥΦΟΣ", body: "Οδυσσεύς ΑΣΑ", nested: { city: "Ελλάδα" } },
  { title: "İstanbul", body: "straße STRASSE", nothing: null },
  { title: "日本語テキスト", body: "שלום עולם", flag: true },
  { title: "", body: "a\u001Fb\u001Bc\u001Cd\u001De", empty: {} },
  { title: "'; drop table meta_envelope; --", body: '"quoted"', n: 1e21 },
  { 10: "integer key", b: "10", title: "null" },
  {},
];

const TERMS: readonly string[] = [
  "hello",
  "HELLO",
  "World",
  "100%",
  "%",
  "_",
  "\\",
  "\\path",
  "'",
  "--",
  "42",
  "1e+21",
  "Σ",
  "σ",
  "ς",
  "ΑΣ",
  "ΣΊΣΥΦΟΣ",
  "i̇",
  "İ",
  "ß",
  "SS",
  "日本",
  "日",
  "שלום",
  "true",
  "null",
  "{}",
  "[]",
  "city",
  '"World"',
  "\u001F",
  "a\u001Fb",
  "\u001C",
  "\u001C\u001D",
  "\u202E",
  "title",
];

test("search answers exactly what a plain filter over the values answers, for every mode, case and choice of fields [V-SRCH-003] [V-SRCH-005] [V-SRCH-006] [V-SRCH-007] [V-SRCH-008] [V-SRCH-010] [V-SRCH-011] [V-SRCH-012] [V-SVC-006] [V-DEC-742] [V-DEC-743] [V-DEC-744] [V-DEC-746] [T-07] [T-15]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const ids: string[] = [];
  for (const payload of PAYLOADS) ids.push(await create(vault, owner, { payload }));
  for (const term of TERMS) {
    for (const mode of ["CONTAINS", "STARTS_WITH", "EXACT"] as const) {
      for (const caseSensitive of [false, true]) {
        for (const fields of [[], ["title"], ["body", "n", "10"]]) {
          const input = { term, mode, caseSensitive, fields };
          const expected = ids.filter((_, index) => isHit(PAYLOADS[index]!, input));
          assert.deepEqual(await search(vault, owner, input), expected, JSON.stringify(input));
        }
      }
    }
  }
});

test("search equals the plain filter on random payloads and terms [decision V21] [T-07] [T-15]", async () => {
  await using vault = await startVault();
  const text = fc.string({ unit: fc.constantFrom(..."aAbB%_\\'Σςİßé日\u001F\u001B\u001C "), maxLength: 6 });
  const payload = fc.dictionary(
    text,
    fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 2 }), fc.constant(null)),
    { maxKeys: 4 },
  );
  const run = fc.asyncProperty(
    fc.array(payload, { minLength: 1, maxLength: 5 }),
    fc.record({
      term: fc.string({ unit: fc.constantFrom(..."aAbB%_\\'Σςİßé日\u001F\u001B\u001C "), minLength: 1, maxLength: 3 }),
      mode: fc.constantFrom("CONTAINS" as const, "STARTS_WITH" as const, "EXACT" as const),
      caseSensitive: fc.boolean(),
      fields: fc.array(text, { maxLength: 2 }),
    }),
    async (payloads, input) => {
      const owner = await vault.createOwner();
      const ids: string[] = [];
      for (const one of payloads) ids.push(await create(vault, owner, { payload: one }));
      const expected = ids.filter((_, index) => isHit(payloads[index]!, input));
      assert.deepEqual(await search(vault, owner, input), expected);
    },
  );
  await fc.assert(run, { numRuns: 100 });
});

test("an absent or empty term means no search; mode defaults to CONTAINS and case does not count [V-SRCH-004] [V-SRCH-009] [V-SRCH-005] [V-DEC-745]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: "Find ME" } });
  for (const input of [{}, { term: "" }, { term: null }, { term: "d me" }]) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter: { search: input } });
    assert.equal(body.data.metaEnvelopes.edges[0].node.id, id);
  }
});

test("ontologyId keeps only records of that schema, alone and with a search [V-SRCH-001] [V-SRCH-002]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const one = await create(vault, owner, { ontology: "one", payload: { a: "same" } });
  const two = await create(vault, owner, { ontology: "two", payload: { a: "same" } });
  const list = async (filter: object) => {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter });
    return body.data.metaEnvelopes.edges.map((edge: { node: { id: string } }) => edge.node.id);
  };
  assert.deepEqual(await list({ ontologyId: "one" }), [one]);
  assert.deepEqual(await list({ ontologyId: "two", search: { term: "same" } }), [two]);
  assert.deepEqual(await list({}), [one, two]);
});

for (const [what, filter, code] of [
  ["a term of 257 characters", { search: { term: "x".repeat(257) } }, "BAD_USER_INPUT"],
  ["21 fields", { search: { term: "x", fields: Array.from({ length: 21 }, (_, n) => `f${n}`) } }, "BAD_USER_INPUT"],
  ["a term with NUL", { search: { term: "a\u0000" } }, "INVALID_TEXT"],
  ["a field with an unpaired surrogate", { search: { term: "a", fields: ["\uD800"] } }, "INVALID_TEXT"],
  ["an ontologyId with NUL", { ontologyId: "\u0000" }, "INVALID_TEXT"],
] as const) {
  test(`${what} is ${code} [V-DEC-473] [decision V21] [V-DEC-747]`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const answer = await askGraphQL(vault, owner, DOCUMENTS.list, { filter });
    assert.deepEqual([answer.status, errorCodeOf(answer)], [200, code]);
  });
}

test("a term of 256 characters of any plane is searched [decision V21]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { a: "𐍈".repeat(300) } });
  assert.deepEqual(await search(vault, owner, { term: "𐍈".repeat(256) }), [id]);
});
