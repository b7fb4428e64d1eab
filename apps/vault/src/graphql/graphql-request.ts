import { refusal } from "../errors.ts";

/** A GraphQL request. Source: GraphQL over HTTP, "Request parameters". */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly operationName: string | undefined;
}

/**
 * Reads a request body as one GraphQL request; a batch is refused.
 *
 * Refuses: BAD_REQUEST. Source: decision V2.
 */
export function readGraphQLRequest(body: unknown): GraphQLRequest {
  if (Array.isArray(body)) throw refusal("BAD_REQUEST", "Batches are not served; send one GraphQL request at a time.");
  if (!isObject(body)) throw refusal("BAD_REQUEST", 'A GraphQL request is a JSON object such as {"query": "{ ... }"}.');
  const { query, variables, operationName } = body;
  if (typeof query !== "string") throw refusal("BAD_REQUEST", "The member query holds the GraphQL document, as text.");
  if (variables != null && !isObject(variables)) throw refusal("BAD_REQUEST", "The member variables is an object.");
  if (operationName != null && typeof operationName !== "string") {
    throw refusal("BAD_REQUEST", "The member operationName is text.");
  }
  return { query, variables: variables ?? undefined, operationName: operationName ?? undefined };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
