import { getOperationAST } from "graphql";
import type { GraphQLRequest } from "./graphql-request.ts";
import type { PrepareDocument } from "./prepare-document.ts";

/** Checks whether a request would run a mutation. Refuses: GRAPHQL_LIMIT_EXCEEDED. */
export type IsMutation = (request: GraphQLRequest) => boolean;

/** Makes `IsMutation`. A request that cannot run is not a mutation. Source: decision V20. */
export function createIsMutation(prepare: PrepareDocument): IsMutation {
  return ({ query, operationName }) => {
    const prepared = prepare(query);
    return "document" in prepared && getOperationAST(prepared.document, operationName)?.operation === "mutation";
  };
}
