import { gzipSync } from "node:zlib";
import { type Attack, get, postBody, postDocument, type Target } from "./attack.ts";

const CREATE =
  "mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id } errors { field code } } }";
const VALUE = "mutation ($id: String!, $value: JSON!) { updateEnvelopeValue(envelopeId: $id, newValue: $value) }";
const body = (query: string, variables: string): string =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`;
const createWith =
  (payload: string): Attack["send"] =>
  (target) =>
    postBody(target, body(CREATE, `{"input":{"ontology":"o","payload":${payload}}}`));
const createLiteral =
  (payload: string): Attack["send"] =>
  (target) =>
    postDocument(
      target,
      `mutation { createMetaEnvelope(input: { ontology: "o", payload: ${payload} }) { errors { code } } }`,
    );
const newValue =
  (value: string): Attack["send"] =>
  (target) =>
    postBody(
      target,
      body(
        VALUE,
        `{"id":${JSON.stringify(`${target.ownId}.${Buffer.from("a").toString("base64url")}`)},"value":${value}}`,
      ),
    );
const list =
  (argumentsOf: (target: Target) => string): Attack["send"] =>
  (target) =>
    postDocument(target, `{ metaEnvelopes(${argumentsOf(target)}) { edges { node { id parsed } } totalCount } }`);
const nested = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;

/** A million levels are refused while they arrive: to parse them takes longer than a request may (decision V25). */
const DEPTHS = [
  [65, "200 PAYLOAD_TOO_LARGE"],
  [7_000, "200 PAYLOAD_TOO_LARGE"],
  [10_000, "200 PAYLOAD_TOO_LARGE"],
  [1_000_000, "413 PAYLOAD_TOO_LARGE"],
].flatMap(([depth, expected]): readonly Attack[] => [
  {
    threat: "T-06",
    what: `a payload ${depth} deep`,
    send: createWith(nested(Number(depth))),
    expected: String(expected),
  },
  {
    threat: "T-06",
    what: `a new value ${depth} deep`,
    send: newValue(nested(Number(depth))),
    expected: String(expected),
  },
]);
const LITERALS = [65, 240].map(
  (depth): Attack => ({
    threat: "T-06",
    what: `a literal ${depth} deep`,
    send: createLiteral(`${"{ a: ".repeat(depth)}1${" }".repeat(depth)}`),
    expected: "200 PAYLOAD_TOO_LARGE",
  }),
);

// A megabyte of zeros in a kilobyte.
const BOMB = gzipSync(Buffer.alloc(1_048_576));

const TEXTS: readonly (readonly [what: string, json: string])[] = [
  ["U+0000", '"a\\u0000b"'],
  ["a lone high surrogate", '"\\ud800"'],
  ["a lone low surrogate", '"\\udc00x"'],
  ["surrogates the wrong way round", '"\\udc00\\ud800"'],
];
const BAD_TEXTS = TEXTS.flatMap(([what, json]): readonly Attack[] => [
  { threat: "T-09", what: `${what} in a value`, send: createWith(`{"a":[${json}]}`), expected: "200 INVALID_TEXT" },
  { threat: "T-09", what: `${what} in a key`, send: createWith(`{${json}:1}`), expected: "200 INVALID_TEXT" },
  { threat: "T-09", what: `${what} in a new value`, send: newValue(json), expected: "200 INVALID_TEXT" },
  {
    threat: "T-09",
    what: `${what} in an ontology`,
    send: (target) => postBody(target, body(CREATE, `{"input":{"ontology":${json},"payload":{}}}`)),
    expected: "200 INVALID_TEXT",
  },
  {
    threat: "T-09",
    what: `${what} in an id`,
    send: (target) => postBody(target, body("query ($id: ID!) { metaEnvelope(id: $id) { id } }", `{"id":${json}}`)),
    expected: "200 INVALID_TEXT",
  },
]);
const NOT_UTF8 = [[0xc3, 0x28], [0xff], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]].map(
  (bytes): Attack => ({
    threat: "T-09",
    what: `the bytes ${Buffer.from(bytes).toString("hex")}`,
    send: (target) =>
      postBody(target, new Uint8Array([...Buffer.from('{"query":"{ __typename } #'), ...bytes, ...Buffer.from('"}')])),
    expected: "400 BAD_REQUEST",
  }),
);

const NUMBERS = ["1e400", "-1e400", "9007199254740993", "-9007199254740993", "1e-400", `${"9".repeat(400)}`].flatMap(
  (number): readonly Attack[] => [
    {
      threat: "T-10",
      what: `${number.slice(0, 20)} as a variable`,
      send: createWith(`{"a":[${number}]}`),
      expected: "200 NUMBER_PRECISION",
    },
    {
      threat: "T-10",
      what: `${number.slice(0, 20)} as a literal`,
      send: createLiteral(`{ a: [${number}] }`),
      expected: "200 NUMBER_PRECISION",
    },
    {
      threat: "T-10",
      what: `${number.slice(0, 20)} as a new value`,
      send: newValue(number),
      expected: "200 NUMBER_PRECISION",
    },
  ],
);

/** Values, ids, texts and cursors that break whoever takes them for granted. Threats T-06 to T-15. */
export const VALUE_ATTACKS: readonly Attack[] = [
  ...DEPTHS,
  ...LITERALS,
  {
    threat: "T-06",
    what: "a million keys",
    send: createWith(JSON.stringify(Object.fromEntries(Array.from({ length: 1_000_000 }, (_, n) => [`k${n}`, 1])))),
    expected: "413 PAYLOAD_TOO_LARGE",
  },
  {
    threat: "T-06",
    what: "a million elements",
    send: createWith(`{"a":[${"1,".repeat(999_999)}1]}`),
    expected: "413 PAYLOAD_TOO_LARGE",
  },
  {
    threat: "T-07",
    what: "a term of 10,000 characters",
    send: list(() => `filter: { search: { term: "${"%".repeat(10_000)}" } }`),
    expected: "200 BAD_USER_INPUT",
  },
  {
    threat: "T-07",
    what: "50 fields",
    send: list(() => `filter: { search: { term: "a", fields: [${'"f" '.repeat(50)}] } }`),
    expected: "200 BAD_USER_INPUT",
  },
  ...["%", "_", "\\\\", "'", "\u202e", ".*", "(a+)+$", "\u001f", "[", "*"].map(
    (term): Attack => ({
      threat: "T-07",
      what: `the term ${JSON.stringify(term)}`,
      send: list(() => `filter: { search: { term: "${term === "\u001f" ? "\\u001f" : term}" } }`),
      expected: "200 served",
    }),
  ),
  ...["", "0", "=", "' or 1=1 --", "-1", "AAAA", "x".repeat(5_000), "eyJvcmQiOjB9"].flatMap(
    (cursor): readonly Attack[] => [
      {
        threat: "T-08",
        what: `the cursor "${cursor.slice(0, 20)}"`,
        send: list(() => `after: ${JSON.stringify(cursor)}`),
        expected: "200 BAD_CURSOR",
      },
      {
        threat: "T-08",
        what: `the cursor "${cursor.slice(0, 20)}" backward`,
        send: list(() => `last: 1, before: ${JSON.stringify(cursor)}`),
        expected: "200 BAD_CURSOR",
      },
      {
        threat: "T-08",
        what: `the log cursor "${cursor.slice(0, 20)}"`,
        send: (target) => get(target, `/logs?cursor=${encodeURIComponent(cursor)}`),
        expected: "400 BAD_CURSOR",
      },
    ],
  ),
  {
    threat: "T-08",
    what: "another owner's cursor",
    send: list(({ victimCursor }) => `after: "${victimCursor}"`),
    expected: "200 BAD_CURSOR",
  },
  {
    threat: "T-08",
    what: "another owner's cursor backward",
    send: list(({ victimCursor }) => `last: 9, before: "${victimCursor}"`),
    expected: "200 BAD_CURSOR",
  },
  {
    threat: "T-08",
    what: "a list's cursor for the log",
    send: (target) => get(target, `/logs?cursor=${target.victimCursor}`),
    expected: "400 BAD_CURSOR",
  },
  ...["gzip", "deflate", "br", "gzip, gzip"].map(
    (encoding): Attack => ({
      threat: "T-12",
      what: `a body with Content-Encoding ${encoding}`,
      send: (target) => postBody(target, new Uint8Array(BOMB), { "content-encoding": encoding }),
      expected: "415 UNSUPPORTED_MEDIA_TYPE",
    }),
  ),
  {
    threat: "T-12",
    what: "a payload of a byte more than 1 MiB",
    send: createWith(`{"a":"${"x".repeat(1_048_576 - 7)}"}`),
    expected: "200 PAYLOAD_TOO_LARGE",
  },
  {
    threat: "T-12",
    what: "a body of more than 16 MiB",
    send: createWith(`{"a":"${"x".repeat(16 * 1_048_576)}"}`),
    expected: "413 PAYLOAD_TOO_LARGE",
  },
  {
    threat: "T-12",
    what: "an array of 100,000 eNames",
    send: (target) =>
      postDocument(target, CREATE, {
        input: { ontology: "o", payload: {}, acl: Array(100_000).fill(target.attacker) },
      }),
    expected: "200 INVALID_ACL",
  },
  ...BAD_TEXTS,
  ...NOT_UTF8,
  ...NUMBERS,
  {
    threat: "T-11",
    what: "__proto__ in a payload",
    send: createWith('{"__proto__":{"admin":true}}'),
    expected: "200 INVALID_KEY",
  },
  {
    threat: "T-11",
    what: "__proto__ deep in a payload",
    send: createWith('{"a":[{"b":{"__proto__":{"admin":true}}}]}'),
    expected: "200 INVALID_KEY",
  },
  {
    threat: "T-11",
    what: "__proto__ in a literal",
    send: createLiteral("{ a: { __proto__: { admin: true } } }"),
    expected: "200 INVALID_KEY",
  },
  {
    threat: "T-11",
    what: "__proto__ in a new value",
    send: newValue('{"__proto__":{"admin":true}}'),
    expected: "200 INVALID_KEY",
  },
  {
    threat: "T-11",
    what: "__proto__ beside the query",
    send: (target) =>
      postBody(target, '{"__proto__":{"query":"{ __typename }"},"constructor":{"prototype":{"admin":true}}}'),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-11",
    what: "__proto__ among the variables",
    send: (target) => postBody(target, body(CREATE, '{"__proto__":{"input":{"ontology":"o","payload":{}}}}')),
    expected: "400 BAD_USER_INPUT",
  },
  {
    threat: "T-14",
    what: "a byte order mark",
    send: (target) => postBody(target, '\uFEFF{"query":"{ __typename }"}'),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-14",
    what: "a comment",
    send: (target) => postBody(target, '{"query":"{ __typename }" /* x */}'),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-14",
    what: "a trailing comma",
    send: (target) => postBody(target, '{"query":"{ __typename }",}'),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-14",
    what: "single quotes",
    send: (target) => postBody(target, "{'query':'{ __typename }'}"),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-14",
    what: "two values",
    send: (target) => postBody(target, '{"query":"{ __typename }"}{}'),
    expected: "400 BAD_REQUEST",
  },
  {
    threat: "T-14",
    what: "a query that is there twice",
    send: (target) => postBody(target, '{"query":"{ __typename }","query":5}'),
    expected: "400 BAD_REQUEST",
  },
];
