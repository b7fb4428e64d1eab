import type { Attack } from "./attack.ts";
import type { CallerName, Operation } from "./operation.ts";

const LONG = 100_000;
const list = "metaEnvelopes { totalCount }";
const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_value, index) => write(index)).join(" ");
const WRONG_ITEMS = Array.from({ length: 60_000 }, () => ({}));

/** Requests to a GraphQL endpoint whose document, variables or envelope is hostile, by name. Text is sent as it is. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  "2,000 aliases": () => ({ query: `{ ${repeat(2_000, (index) => `a${index}: ${list}`)} }` }),
  "11 root fields in a fragment": () => ({
    query: `{ ...f } fragment f on Query { ${repeat(11, (index) => `a${index}: ${list}`)} }`,
  }),
  "root fields in nested fragments": () => ({
    query: `{ ...f0 ...g } fragment g on Query { ${list} } ${repeat(6, (index) => `fragment f${index} on Query { ${repeat(10, (alias) => `a${index}x${alias}: ${list}`)} ...f${index + 1} }`)} fragment f6 on Query { __typename }`,
  }),
  "fragments that double": () => ({
    query: `{ ...f0 } ${repeat(30, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment f30 on Query { ${list} }`,
  }),
  "fragments in a circle": () => ({ query: "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }" }),
  "5,000 levels": () => ({ query: `${"{ a ".repeat(5_000)}${"}".repeat(5_000)}` }),
  "list literal of 5,000 levels": () => ({
    query: `{ metaEnvelope(id: ${"[".repeat(5_000)}${"]".repeat(5_000)}) { id } }`,
  }),
  "10,000 directives": () => ({ query: `{ ${list.replace(" ", ` ${"@include(if: true) ".repeat(10_000)}`)} }` }),
  "10,000 unknown directives": () => ({ query: `query it ${"@a ".repeat(10_000)} { ${list} }` }),
  "10,000 variables": () => ({ query: `query it(${repeat(10_000, (index) => `$v${index}: ID`)}) { ${list} }` }),
  "overlapping fields": () => ({ query: `{ metaEnvelope(id: "a") { ${"id ".repeat(20_000)} } }` }),
  "overlapping arguments": () => ({ query: `{ ${repeat(500, (index) => `metaEnvelope(id: "${index}") { id }`)} }` }),
  "a variable called __proto__": () => ({
    query: "query it($__proto__: ID!) { metaEnvelope(id: $__proto__) { id } }",
    variables: JSON.parse('{"__proto__":"a"}'),
  }),
  "an alias called __proto__": () => ({ query: "{ __proto__: metaEnvelopes { totalCount } }" }),
  "an operation called constructor": () => ({ query: `query constructor { ${list} }`, operationName: "constructor" }),
  "a long operationName": () => ({ query: `{ ${list} }`, operationName: "a".repeat(900_000) }),
  "a wrong long operationName": () => ({ query: `query it { ${list} }`, operationName: "b".repeat(900_000) }),
  "a long name": () => ({ query: `{ ${"a".repeat(LONG)} }` }),
  "a long comment": () => ({ query: `# ${"a".repeat(LONG)}\n{ ${list} }` }),
  "a long text": () => ({ query: `{ metaEnvelope(id: "${"a".repeat(LONG)}") { id } }` }),
  "a long block text": () => ({ query: `{ metaEnvelope(id: """${'\\"""'.repeat(20_000)}""") { id } }` }),
  "only commas": () => ({ query: ",".repeat(LONG) }),
  "a long number": () => ({ query: `{ metaEnvelopes(first: ${"9".repeat(LONG)}) { totalCount } }` }),
  "misspelt fields": () => ({ query: `{ ${repeat(2_000, (index) => `metaEnvelopez${index} { id }`)} }` }),
  "an Int above its range": () => ({ query: "{ metaEnvelopes(first: 2147483648) { totalCount } }" }),
  introspection: () => ({
    query: "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }",
  }),
  "list variable of wrong items": () => ({
    query:
      "mutation it($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }",
    variables: { inputs: WRONG_ITEMS },
  }),
  "text list variable of wrong items": () => ({
    query: "query it($filter: MetaEnvelopeFilterInput) { metaEnvelopes(filter: $filter) { totalCount } }",
    variables: { filter: { search: { term: "a", fields: WRONG_ITEMS } } },
  }),
  "a bulk of 1,001": () => ({
    query:
      "mutation it($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }",
    variables: { inputs: Array.from({ length: 1_001 }, () => ({ ontology: "note-v1", payload: {} })) },
  }),
  "ten pages of 100": () => ({
    query: `{ ${repeat(10, (index) => `a${index}: metaEnvelopes(first: 100) { edges { node { id ontology parsed envelopes { id value valueType } } } }`)} }`,
  }),
  "ten repetitive searches": () => ({
    query: `query it($filter: MetaEnvelopeFilterInput) { ${repeat(10, (index) => `a${index}: metaEnvelopes(filter: $filter) { totalCount }`)} }`,
    variables: { filter: { search: { term: "a".repeat(255) } } },
  }),
  "a batch": () => [{ query: `{ ${list} }` }, { query: `{ ${list} }` }],
  "a subscription": () => ({ query: "subscription it { a }" }),
  "only a query": () => ({ query: "" }),
  "no query": () => ({}),
  "unknown members": () => ({ query: `{ ${list} }`, extensions: { a: 1 }, id: 1, documentId: "a" }),
};
const CALLERS: readonly CallerName[] = ["nobody", "owner", "legacy platform"];

/** Makes the attacks by hostile documents on a GraphQL endpoint, each as every kind of caller. Refuses: never. */
export function documentAttacks({ body: _body, ...operation }: Operation): readonly Attack[] {
  return Object.entries(BODIES).flatMap(([name, write]) => {
    const body = Buffer.from(JSON.stringify(write()));
    const headers = [...Object.entries(operation.headers), ["Content-Type", "application/json"] as const];
    return CALLERS.map((caller) => ({
      operation: { ...operation, body: undefined },
      name: `POST /graphql document: ${name}`,
      caller,
      request: { method: "POST", target: "/graphql", headers, body },
    }));
  });
}
