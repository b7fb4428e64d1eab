import { getOperationAST, Kind } from "graphql";
import type { GraphQLRequest } from "./graphql-request.ts";
import type { PrepareDocument } from "./prepare-document.ts";

/** An operation: its kind, and its root fields by their names in the schema, in order. */
export interface OperationDescription {
  readonly type: "query" | "mutation" | "subscription";
  readonly fields: string;
}

/** Describes the operation that a request would run; undefined where none can run. Refuses: GRAPHQL_LIMIT_EXCEEDED. */
export type DescribeOperation = (request: GraphQLRequest) => OperationDescription | undefined;

const MOST_FIELDS = 5;

/**
 * Makes `DescribeOperation`. The client's own names, for the operation and for its results, are not in it: they may be
 * anything. Source: decisions P7, V20.
 */
export function createDescribeOperation(prepare: PrepareDocument): DescribeOperation {
  return ({ query, operationName }) => {
    const prepared = prepare(query);
    const operation = "document" in prepared ? getOperationAST(prepared.document, operationName) : undefined;
    if (!operation) return undefined;
    const names = operation.selectionSet.selections
      .slice(0, MOST_FIELDS)
      .map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : "..."));
    return { type: operation.operation, fields: names.join(" ") };
  };
}
