/** The ontology of the example's MetaEnvelopes: one of its own, so that trying things out touches nobody's real data. */
const EXAMPLE_ONTOLOGY = "ide-example";

/**
 * The document the IDE opens with: every everyday act as a named operation, in the order in which one tries them.
 *
 * Source: S1 "GraphQL API".
 */
export const EXAMPLE_DOCUMENT: string = `# Run an operation: press the button above it, or put the cursor in it and press Ctrl+Enter (Cmd+Enter).
# Start with Create, then paste the id it answers into "id" under VARIABLES below.
# Whose vault is asked stands in the header X-ENAME (Headers, at the left). A token goes there too, as
# Authorization: Bearer <token>. Press Ctrl+Space while typing to be offered what fits.

mutation Create($new: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $new) {
    metaEnvelope { id ontology parsed }
    errors { field message code }
  }
}

query Read($id: ID!) {
  metaEnvelope(id: $id) {
    id
    ontology
    parsed
    envelopes { fieldKey value valueType }
  }
}

query ListWithSearch($filter: MetaEnvelopeFilterInput, $first: Int) {
  metaEnvelopes(filter: $filter, first: $first) {
    totalCount
    edges { cursor node { id ontology parsed } }
    pageInfo { hasNextPage endCursor }
  }
}

mutation Update($id: ID!, $changed: MetaEnvelopeInput!) {
  updateMetaEnvelope(id: $id, input: $changed) {
    metaEnvelope { id parsed }
    errors { field message code }
  }
}

query History($id: ID!) {
  metaEnvelopeHistory(id: $id, first: 10) {
    edges { node { version operation parsed author createdAt } }
  }
}

mutation Remove($id: ID!) {
  removeMetaEnvelope(id: $id) {
    deletedId
    success
    errors { field message code }
  }
}
`;

/** The variables of `EXAMPLE_DOCUMENT`, shared by its operations. Source: S1 "GraphQL API". */
export const EXAMPLE_VARIABLES: Readonly<Record<string, unknown>> = {
  id: "paste-the-id-from-Create",
  new: { ontology: EXAMPLE_ONTOLOGY, payload: { title: "Hello from the vault", likes: 0 }, acl: ["*"] },
  filter: { ontologyId: EXAMPLE_ONTOLOGY, search: { term: "hello", fields: ["title"] } },
  first: 10,
  changed: { ontology: EXAMPLE_ONTOLOGY, payload: { title: "Hello again", likes: 1 } },
};
