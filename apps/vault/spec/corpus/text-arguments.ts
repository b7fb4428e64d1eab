import { get, postBody, postDocument, type Reply, type Target } from "./attack.ts";

/** One place of the vault's doors that takes a text: sends the text there. */
export interface TextArgument {
  readonly name: string;
  readonly send: (target: Target, text: string) => Promise<Reply>;
}

const FIELDS = "{ id ontology parsed envelopes { id fieldKey value valueType } }";
const LIST = `{ edges { node ${FIELDS} } pageInfo { hasNextPage } totalCount }`;

const query = (
  name: string,
  declared: string,
  selection: string,
  variables: (text: string, target: Target) => object,
): TextArgument => ({
  name,
  send: (target, text) => postDocument(target, `query (${declared}) { ${selection} }`, variables(text, target)),
});
const mutation = (
  name: string,
  declared: string,
  selection: string,
  variables: (text: string, target: Target) => object,
): TextArgument => ({
  name,
  send: (target, text) => postDocument(target, `mutation (${declared}) { ${selection} }`, variables(text, target)),
});

const CREATE = `createMetaEnvelope(input: $input) { metaEnvelope { ontology parsed } errors { field code } }`;
const UPDATE = `updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { ontology parsed } errors { field code } }`;
const STORE = "storeMetaEnvelope(input: $input) { metaEnvelope { ontology parsed } }";
const INPUT = "$input: MetaEnvelopeInput!";
const input = (more: object): object => ({ ontology: "o", payload: { a: 1 }, ...more });
const headers = (target: Target): Readonly<Record<string, string>> => ({ "x-ename": target.attacker });

/** Every text argument of every operation that needs no token, every header that is read, and every part of an address. */
export const TEXT_ARGUMENTS: readonly TextArgument[] = [
  query("metaEnvelope.id", "$t: ID!", `metaEnvelope(id: $t) ${FIELDS}`, (t) => ({ t })),
  query(
    "metaEnvelopeHistory.id",
    "$t: ID!",
    "metaEnvelopeHistory(id: $t) { totalCount edges { node { parsed } } }",
    (t) => ({ t }),
  ),
  query(
    "metaEnvelopeHistory.after",
    "$t: String, $id: ID!",
    "metaEnvelopeHistory(id: $id, after: $t) { totalCount }",
    (t, { ownId }) => ({ t, id: ownId }),
  ),
  query("metaEnvelopes.after", "$t: String", `metaEnvelopes(after: $t) ${LIST}`, (t) => ({ t })),
  query("metaEnvelopes.before", "$t: String", `metaEnvelopes(last: 5, before: $t) ${LIST}`, (t) => ({ t })),
  query("filter.ontologyId", "$t: ID", `metaEnvelopes(filter: { ontologyId: $t }) ${LIST}`, (t) => ({ t })),
  query(
    "filter.search.fields",
    "$t: String!",
    `metaEnvelopes(filter: { search: { term: "mine", fields: [$t] } }) ${LIST}`,
    (t) => ({ t }),
  ),
  ...["CONTAINS", "STARTS_WITH", "EXACT"].map((mode) =>
    query(
      `filter.search.term ${mode}`,
      "$t: String",
      `metaEnvelopes(filter: { search: { term: $t, mode: ${mode} } }) ${LIST}`,
      (t) => ({ t: `${t}\u2063` }),
    ),
  ),
  query("getMetaEnvelopeById.id", "$t: String!", `getMetaEnvelopeById(id: $t) ${FIELDS}`, (t) => ({ t })),
  query(
    "findMetaEnvelopesByOntology.ontology",
    "$t: String!",
    `findMetaEnvelopesByOntology(ontology: $t) ${FIELDS}`,
    (t) => ({ t }),
  ),
  query(
    "searchMetaEnvelopes.ontology",
    "$t: String!",
    `searchMetaEnvelopes(ontology: $t, term: "mine") ${FIELDS}`,
    (t) => ({ t }),
  ),
  query(
    "searchMetaEnvelopes.term",
    "$t: String!",
    `searchMetaEnvelopes(ontology: "note", term: $t) ${FIELDS}`,
    (t) => ({ t: `${t}\u2063` }),
  ),
  {
    name: "a text in the document",
    send: (target, text) =>
      postDocument(target, `{ metaEnvelopes(filter: { ontologyId: ${JSON.stringify(text)} }) ${LIST} }`),
  },
  {
    name: "operationName",
    send: (target, text) =>
      postBody(
        target,
        JSON.stringify({ query: "query A { a: __typename } query B { b: __typename }", operationName: text }),
      ),
  },
  mutation("createMetaEnvelope ontology", INPUT, CREATE, (t) => ({ input: input({ ontology: t }) })),
  mutation("createMetaEnvelope payload key", INPUT, CREATE, (t) => ({ input: input({ payload: { [t]: 1 } }) })),
  mutation("createMetaEnvelope payload value", INPUT, CREATE, (t) => ({
    input: input({ payload: { a: [{ b: t }] } }),
  })),
  mutation("createMetaEnvelope acl", INPUT, CREATE, (t) => ({ input: input({ acl: [t] }) })),
  mutation("storeMetaEnvelope ontology", INPUT, STORE, (t) => ({ input: input({ ontology: t }) })),
  mutation("storeMetaEnvelope payload", INPUT, STORE, (t) => ({ input: input({ payload: { [t]: t } }) })),
  mutation("updateMetaEnvelope id", `$id: ID!, ${INPUT}`, UPDATE, (t) => ({ id: t, input: input({}) })),
  mutation("updateMetaEnvelope ontology", `$id: ID!, ${INPUT}`, UPDATE, (t, { ownId }) => ({
    id: ownId,
    input: input({ ontology: t }),
  })),
  mutation("updateMetaEnvelope payload", `$id: ID!, ${INPUT}`, UPDATE, (t, { ownId }) => ({
    id: ownId,
    input: input({ payload: { v: t } }),
  })),
  mutation("updateMetaEnvelope acl", `$id: ID!, ${INPUT}`, UPDATE, (t, { ownId }) => ({
    id: ownId,
    input: input({ acl: [t] }),
  })),
  mutation(
    "updateMetaEnvelopeById id",
    `$t: String!, ${INPUT}`,
    "updateMetaEnvelopeById(id: $t, input: $input) { metaEnvelope { id } }",
    (t) => ({ t, input: input({}) }),
  ),
  mutation(
    "updateEnvelopeValue envelopeId",
    "$t: String!",
    "updateEnvelopeValue(envelopeId: $t, newValue: 1)",
    (t) => ({ t }),
  ),
  mutation(
    "updateEnvelopeValue field",
    "$t: String!",
    "updateEnvelopeValue(envelopeId: $t, newValue: 1)",
    (t, { ownId }) => ({ t: `${ownId}.${Buffer.from(t).toString("base64url")}` }),
  ),
  mutation(
    "updateEnvelopeValue newValue",
    "$t: String!, $v: JSON!",
    "updateEnvelopeValue(envelopeId: $t, newValue: $v)",
    (t, { ownId }) => ({ t: `${ownId}.YQ`, v: t }),
  ),
  mutation(
    "rollbackMetaEnvelope id",
    "$t: ID!",
    "rollbackMetaEnvelope(id: $t, version: 1) { errors { field code } }",
    (t) => ({ t }),
  ),
  mutation(
    "removeMetaEnvelope id",
    "$t: ID!",
    "removeMetaEnvelope(id: $t) { deletedId success errors { code } }",
    (t) => ({ t }),
  ),
  mutation("deleteMetaEnvelope id", "$t: String!", "deleteMetaEnvelope(id: $t)", (t) => ({ t })),
  { name: "X-ENAME", send: (target, text) => get(target, "/whois", { "x-ename": text }) },
  {
    name: "X-ENAME after an eName",
    send: (target, text) => get(target, "/whois", { "x-ename": `${target.attacker}${text}` }),
  },
  {
    name: "X-ON-BEHALF-OF",
    send: (target, text) => get(target, "/logs", { ...headers(target), "x-on-behalf-of": text }),
  },
  {
    name: "Authorization",
    send: (target, text) => get(target, "/logs", { ...headers(target), authorization: `Bearer ${text}` }),
  },
  { name: "Origin", send: (target, text) => get(target, "/whois", { ...headers(target), origin: `https://${text}` }) },
  { name: "GET /logs cursor", send: (target, text) => get(target, `/logs?cursor=${encodeURIComponent(text)}`) },
  { name: "GET /logs limit", send: (target, text) => get(target, `/logs?limit=${encodeURIComponent(text)}`) },
  {
    name: "GET /logs another parameter",
    send: (target, text) => get(target, `/logs?limit=1&${encodeURIComponent(text)}=${encodeURIComponent(text)}`),
  },
  { name: "a path", send: (target, text) => get(target, `/${encodeURIComponent(text)}`) },
  {
    name: "PATCH /public-key publicKey",
    send: async (target, text) => {
      const authorization = "Bearer service-token-of-this-test-0123456789";
      const all = { ...headers(target), authorization, "content-type": "application/json" };
      const response = await fetch(`${target.url}/public-key`, {
        method: "PATCH",
        headers: all,
        body: JSON.stringify({ publicKey: text }),
      });
      return { status: response.status, text: await response.text() };
    },
  },
];
