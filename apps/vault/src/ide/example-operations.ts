/** An operation with which the editor opens, in a tab of its own. */
export interface ExampleOperation {
  /** The name of the operation and of its tab. */
  readonly name: string;
  readonly query: string;
  /** JSON text; empty for an operation without variables. */
  readonly variables: string;
}

/** The ontology of the examples' MetaEnvelopes: a separate one, so that experiments touch no real data. */
const EXAMPLE_ONTOLOGY = "ide-example";
const ID_OF_CREATE = "the id that Create answers";

/**
 * The operations with which the editor opens, in the order in which one tries them. The first one needs no variable.
 *
 * Source: S1 "GraphQL API".
 */
export const EXAMPLE_OPERATIONS: readonly ExampleOperation[] = [
  example(
    "Records",
    `query Records {
  metaEnvelopes(first: 10) {
    totalCount
    edges { node { id ontology parsed } }
  }
}

# Press Send, or Ctrl+Enter. The bar above names the vault
# and the person who signs. Ctrl+Space completes a name;
# Docs explains the schema.`,
  ),
  example(
    "Create",
    `mutation Create($input: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $input) {
    metaEnvelope { id ontology parsed }
    errors { field message code }
  }
}`,
    { input: { ontology: EXAMPLE_ONTOLOGY, payload: { title: "Hello from the vault", likes: 0 } } },
  ),
  example(
    "Search",
    `query Search($filter: MetaEnvelopeFilterInput, $first: Int) {
  metaEnvelopes(filter: $filter, first: $first) {
    totalCount
    edges { cursor node { id ontology parsed } }
    pageInfo { hasNextPage endCursor }
  }
}`,
    { filter: { ontologyId: EXAMPLE_ONTOLOGY, search: { term: "hello", fields: ["title"] } }, first: 10 },
  ),
  example(
    "Read",
    `query Read($id: ID!) {
  metaEnvelope(id: $id) {
    id
    ontology
    parsed
    envelopes { fieldKey value valueType }
  }
}`,
    { id: ID_OF_CREATE },
  ),
  example(
    "Update",
    `mutation Update($id: ID!, $input: MetaEnvelopeInput!) {
  updateMetaEnvelope(id: $id, input: $input) {
    metaEnvelope { id parsed }
    errors { field message code }
  }
}`,
    { id: ID_OF_CREATE, input: { ontology: EXAMPLE_ONTOLOGY, payload: { likes: 1 } } },
  ),
  example(
    "History",
    `query History($id: ID!) {
  metaEnvelopeHistory(id: $id, first: 10) {
    edges { node { version operation parsed author createdAt } }
  }
}`,
    { id: ID_OF_CREATE },
  ),
  example(
    "Remove",
    `mutation Remove($id: ID!) {
  removeMetaEnvelope(id: $id) {
    deletedId
    success
    errors { field message code }
  }
}`,
    { id: ID_OF_CREATE },
  ),
];

function example(name: string, query: string, variables?: object): ExampleOperation {
  return {
    name,
    query: `${query}\n`,
    variables: variables === undefined ? "" : `${JSON.stringify(variables, null, 2)}\n`,
  };
}
