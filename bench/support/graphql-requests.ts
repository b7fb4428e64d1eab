import type { EName } from "@dataspace/protocol/ename";
import type { MetaEnvelopeInput } from "@dataspace/vault/meta-envelopes/meta-envelope-input";
import type { BulkItem } from "@dataspace/vault/operations/mutations/bulk-create-meta-envelopes";

/** A GraphQL request for an owner's vault. */
export interface VaultRequest {
  readonly owner: EName;
  readonly query: string;
  readonly variables: object;
  /** Without one the vault of a bench takes the caller for the owner. */
  readonly bearer?: string;
}

const NODE = "id ontology parsed envelopes { id fieldKey value valueType }";
const CREATE = `mutation Create($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id ontology parsed } errors { field message code } } }`;
const BULK = `mutation Bulk($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { results { id success error } successCount errors { field message code } } }`;
const UPDATE = `mutation Update($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { id } errors { field message code } } }`;
const READ = `query Read($id: ID!) { metaEnvelope(id: $id) { ${NODE} } }`;
const PAGE_ARGUMENTS = "$filter: MetaEnvelopeFilterInput, $first: Int, $after: String, $last: Int, $before: String";
const PAGE_VALUES = "filter: $filter, first: $first, after: $after, last: $last, before: $before";
const PAGE_INFO = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
const page = (more: string) =>
  `query Page(${PAGE_ARGUMENTS}) { metaEnvelopes(${PAGE_VALUES}) { edges { cursor node { ${NODE} } } ${PAGE_INFO} ${more} } }`;
const PAGE = page("");
const COUNTED_PAGE = page("totalCount");
const HISTORY = `query History($id: ID!, $first: Int, $after: String) { metaEnvelopeHistory(id: $id, first: $first, after: $after) { edges { cursor node { version operation ontology parsed requestingPlatform author createdAt } } ${PAGE_INFO} } }`;

/** Creates a MetaEnvelope and asks for it back. */
export function createRequest(owner: EName, input: MetaEnvelopeInput): VaultRequest {
  return { owner, query: CREATE, variables: { input } };
}

/** Creates many MetaEnvelopes in one request, with the token that this takes. */
export function bulkRequest(owner: EName, inputs: readonly BulkItem[], bearer: string): VaultRequest {
  return { owner, query: BULK, variables: { inputs }, bearer };
}

/** Updates a MetaEnvelope. */
export function updateRequest(owner: EName, id: string, input: MetaEnvelopeInput): VaultRequest {
  return { owner, query: UPDATE, variables: { id, input } };
}

/** Reads a MetaEnvelope with its Envelopes. */
export function readRequest(owner: EName, id: string): VaultRequest {
  return { owner, query: READ, variables: { id } };
}

/** Reads a page of MetaEnvelopes with their Envelopes; `counted` also asks for totalCount. */
export function pageRequest(owner: EName, variables: object, counted = false): VaultRequest {
  return { owner, query: counted ? COUNTED_PAGE : PAGE, variables };
}

/** Reads a page of a MetaEnvelope's versions. */
export function historyRequest(owner: EName, variables: object): VaultRequest {
  return { owner, query: HISTORY, variables };
}

/** Writes a request as the bytes of HTTP/1.1. They must be ASCII: a character is then a byte. */
export function toHttp({ owner, query, variables, bearer }: VaultRequest): string {
  const body = JSON.stringify({ query, variables });
  const authorization = bearer === undefined ? "" : `authorization: Bearer ${bearer}\r\n`;
  return `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-ename: ${owner}\r\n${authorization}content-length: ${body.length}\r\n\r\n${body}`;
}
