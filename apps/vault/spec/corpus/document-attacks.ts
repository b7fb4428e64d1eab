import { type Attack, get, postBody, postDocument, WRITING_BODY } from "./attack.ts";

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");
const inRecord = (fields: string): string => `{ metaEnvelope(id: "x") { ${fields} } }`;

// Ten times each limit, and more.
const COSTLY: readonly (readonly [what: string, query: string, code: string])[] = [
  ["100 root fields", `{ ${repeat(100, (n) => `a${n}: __typename`)} }`, "GRAPHQL_LIMIT_EXCEEDED"],
  ["150 aliases of one field", inRecord(repeat(150, (n) => `a${n}: id`)), "GRAPHQL_LIMIT_EXCEEDED"],
  ["500 repeated fields", inRecord(repeat(500, () => "value")), "GRAPHQL_VALIDATION_FAILED"],
  ["100 directives", inRecord(repeat(100, () => "id @include(if: true)")), "GRAPHQL_LIMIT_EXCEEDED"],
  ["10,000 unknown directives", `query ${"@x ".repeat(10_000)} { __typename }`, "GRAPHQL_LIMIT_EXCEEDED"],
  ["10,000 tokens", inRecord("id ".repeat(10_000)), "GRAPHQL_LIMIT_EXCEEDED"],
  ["depth 100", "{ a ".repeat(100) + "}".repeat(100), "GRAPHQL_LIMIT_EXCEEDED"],
  ["a list literal 10,000 deep", `{ a(b: ${"[".repeat(10_000)}`, "GRAPHQL_LIMIT_EXCEEDED"],
  ["an object literal 10,000 deep", `{ a(b: ${"{a:".repeat(10_000)}`, "GRAPHQL_LIMIT_EXCEEDED"],
  [
    "fragments in a circle",
    `${inRecord("...A")} fragment A on MetaEnvelope { ...B } fragment B on MetaEnvelope { ...A }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "a fragment spread 100 times",
    `${inRecord(repeat(100, () => "...F"))} fragment F on MetaEnvelope { a: id b: id }`,
    "GRAPHQL_LIMIT_EXCEEDED",
  ],
  [
    "100 unused fragments",
    `${inRecord("id")} ${repeat(100, (n) => `fragment F${n} on MetaEnvelope { id }`)}`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  ["a comment of 1 MB", `{ __typename } #${"x".repeat(1_000_000)}`, "served"],
];

const BATCH = `[${Array(10).fill(WRITING_BODY).join()}]`;
const SUGGESTING = "{ metaEnvelop(id: 1) { i } }";
const form =
  (type: string, body: string): Attack["send"] =>
  (target) =>
    postBody(target, body, { "content-type": type });
const QUERY = encodeURIComponent("{ __typename }");
const MUTATION = encodeURIComponent(JSON.parse(WRITING_BODY).query);

/** Documents and bodies that cost more than they ask for, or that a page of another origin could send. Threats T-01 to T-05. */
export const DOCUMENT_ATTACKS: readonly Attack[] = [
  ...COSTLY.map(
    ([what, query, code]): Attack => ({
      threat: "T-01",
      what,
      send: (target) => postDocument(target, query),
      expected: code === "served" ? "200 served" : `400 ${code}`,
    }),
  ),
  {
    threat: "T-02",
    what: "a batch of ten writes",
    send: (target) => postBody(target, BATCH),
    expected: "400 BAD_REQUEST",
  },
  { threat: "T-02", what: "an empty batch", send: (target) => postBody(target, "[]"), expected: "400 BAD_REQUEST" },
  {
    threat: "T-03",
    what: "introspection",
    send: (target) => postDocument(target, "{ __schema { types { name } } }"),
    expected: "400 GRAPHQL_VALIDATION_FAILED",
  },
  {
    threat: "T-03",
    what: "introspection of one type",
    send: (target) => postDocument(target, '{ __type(name: "Query") { fields { name } } }'),
    expected: "400 GRAPHQL_VALIDATION_FAILED",
  },
  {
    threat: "T-03",
    what: "a name close to a field's",
    send: (target) => postDocument(target, SUGGESTING),
    expected: "400 GRAPHQL_VALIDATION_FAILED",
  },
  { threat: "T-03", what: "the IDE", send: (target) => get(target, "/graphiql"), expected: "404 NOT_FOUND" },
  {
    threat: "T-03",
    what: "a tracing extension",
    send: (target) => postBody(target, '{"query":"{ a","extensions":{"tracing":true}}', { "apollo-tracing": "1" }),
    expected: "400 GRAPHQL_PARSE_FAILED",
  },
  {
    threat: "T-03",
    what: "a persisted query",
    send: (target) =>
      postBody(target, `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"${"0".repeat(64)}"}}}`),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-03",
    what: "a subscription",
    send: (target) => postDocument(target, "subscription { a }"),
    expected: "400 GRAPHQL_VALIDATION_FAILED",
  },
  {
    threat: "T-03",
    what: "a query by GET",
    send: (target) => get(target, `/graphql?query=${QUERY}`),
    expected: "405 METHOD_NOT_ALLOWED",
  },
  {
    threat: "T-04",
    what: "a page of -1",
    send: (target) => postDocument(target, "{ metaEnvelopes(first: -1) { totalCount } }"),
    expected: "200 INVALID_PAGINATION",
  },
  {
    threat: "T-04",
    what: "a page of 0",
    send: (target) => postDocument(target, "{ metaEnvelopes(last: 0) { totalCount } }"),
    expected: "200 INVALID_PAGINATION",
  },
  {
    threat: "T-04",
    what: "a page beyond 32 bits",
    send: (target) => postDocument(target, "{ metaEnvelopes(first: 4294967297) { totalCount } }"),
    expected: "400 GRAPHQL_VALIDATION_FAILED",
  },
  {
    threat: "T-04",
    what: "both directions",
    send: (target) => postDocument(target, "{ metaEnvelopes(first: 1, last: 1) { totalCount } }"),
    expected: "200 INVALID_PAGINATION",
  },
  {
    threat: "T-04",
    what: "a history page of 0",
    send: (target) => postDocument(target, '{ metaEnvelopeHistory(id: "x", first: 0) { totalCount } }'),
    expected: "200 INVALID_PAGINATION",
  },
  {
    threat: "T-04",
    what: "a log page of 0",
    send: (target) => get(target, "/logs?limit=0"),
    expected: "400 INVALID_PAGINATION",
  },
  {
    threat: "T-04",
    what: "a page of a million",
    send: (target) => postDocument(target, "{ metaEnvelopes(first: 1000000) { totalCount } }"),
    expected: "200 served",
  },
  {
    threat: "T-05",
    what: "a form",
    send: form("application/x-www-form-urlencoded", `query=${MUTATION}`),
    expected: "415 UNSUPPORTED_MEDIA_TYPE",
  },
  {
    threat: "T-05",
    what: "JSON as text/plain",
    send: form("text/plain", WRITING_BODY),
    expected: "415 UNSUPPORTED_MEDIA_TYPE",
  },
  {
    threat: "T-05",
    what: "JSON as a multipart form",
    send: form(
      "multipart/form-data; boundary=x",
      `--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${WRITING_BODY}\r\n--x--`,
    ),
    expected: "415 UNSUPPORTED_MEDIA_TYPE",
  },
  {
    threat: "T-05",
    what: "a type with JSON in a parameter",
    send: form("text/plain; x=application/json", WRITING_BODY),
    expected: "415 UNSUPPORTED_MEDIA_TYPE",
  },
  {
    threat: "T-05",
    what: "a mutation by GET",
    send: (target) => get(target, `/graphql?query=${MUTATION}`),
    expected: "405 METHOD_NOT_ALLOWED",
  },
  {
    threat: "T-05",
    what: "a page of another origin",
    send: (target) => postBody(target, WRITING_BODY, { origin: "https://evil.example" }),
    expected: "403 ORIGIN_NOT_ALLOWED",
  },
];
