/** The ontology of the example's MetaEnvelopes: a separate one, so that experiments touch no real data. */
const EXAMPLE_ONTOLOGY = "ide-example";

/**
 * The document that the IDE opens with: every common operation by name, in the order in which one tries them.
 *
 * Source: S1 "GraphQL API".
 */
export const EXAMPLE_DOCUMENT: string = `# Run an operation with the button above it, or put the cursor
# in it and press Ctrl+Enter (Cmd+Enter). Begin with Create, then
# put the id it answers into "id" under VARIABLES below.
#
# The owner is in the header X-ENAME: Set Headers, at the left.
# Ctrl+Space offers what fits; Docs, at the right, explains it.

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

/** The variables of `EXAMPLE_DOCUMENT`, shared by its operations, as JSON text. Source: S1 "GraphQL API". */
export const EXAMPLE_VARIABLES: string = `{
  "id": "put-here-the-id-from-Create",
  "new": {
    "ontology": "${EXAMPLE_ONTOLOGY}",
    "payload": { "title": "Hello from the vault", "likes": 0 }
  },
  "filter": {
    "ontologyId": "${EXAMPLE_ONTOLOGY}",
    "search": { "term": "hello", "fields": ["title"] }
  },
  "first": 10,
  "changed": {
    "ontology": "${EXAMPLE_ONTOLOGY}",
    "payload": { "likes": 1 }
  }
}
`;
