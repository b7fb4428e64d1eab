import assert from "node:assert/strict";
import { type Answer, askGraphQL } from "./ask.ts";
import type { TestVault } from "./start-vault.ts";

/** The GraphQL documents that most tests send, as a client would write them. */
export const DOCUMENTS = {
  create: `mutation ($input: MetaEnvelopeInput!) {
    createMetaEnvelope(input: $input) {
      metaEnvelope { id ontology parsed envelopes { id fieldKey ontology value valueType } }
      errors { field message code }
    }
  }`,
  update: `mutation ($id: ID!, $input: MetaEnvelopeInput!) {
    updateMetaEnvelope(id: $id, input: $input) {
      metaEnvelope { id ontology parsed envelopes { id fieldKey ontology value valueType } }
      errors { field message code }
    }
  }`,
  remove: "mutation ($id: ID!) { removeMetaEnvelope(id: $id) { deletedId success errors { message code } } }",
  read: "query ($id: ID!) { metaEnvelope(id: $id) { id ontology parsed envelopes { id fieldKey value valueType } } }",
  list: `query ($filter: MetaEnvelopeFilterInput, $first: Int, $after: String, $last: Int, $before: String) {
    metaEnvelopes(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { id ontology parsed } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount
    }
  }`,
  history: `query ($id: ID!, $first: Int, $after: String) {
    metaEnvelopeHistory(id: $id, first: $first, after: $after) {
      edges { cursor node { metaEnvelopeId version operation ontology parsed requestingPlatform author
        restoredFromVersion createdAt } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount
    }
  }`,
} as const;

/** Creates a MetaEnvelope as the owner and gives its id; the test fails when it is refused. */
export async function create(
  vault: Pick<TestVault, "url">,
  owner: string,
  input: { readonly ontology?: string; readonly payload: object; readonly acl?: readonly string[] },
): Promise<string> {
  const answer = await askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "note", ...input } });
  const { metaEnvelope, errors } = answer.body.data.createMetaEnvelope;
  assert.deepEqual(errors, [], JSON.stringify(errors));
  return metaEnvelope.id;
}

/** The code of a mutation's only refusal. */
export function refusalOf(answer: Answer): {
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
} {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const payload = Object.values(answer.body.data)[0] as {
    errors: { code: string; field: string | null; message: string }[];
  };
  assert.equal(payload.errors.length, 1);
  return payload.errors[0]!;
}

/** The code of a request's first GraphQL error. */
export function errorCodeOf(answer: Answer): string {
  return answer.body.errors?.[0]?.extensions?.code;
}
