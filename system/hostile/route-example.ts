import type { CallerName, Operation } from "./operation.ts";

/** An example of a route that no schema describes. */
export type RouteExample = Partial<Pick<Operation, "params" | "query" | "headers" | "body">> & {
  readonly callers?: readonly CallerName[];
};

/** The examples of one service, by method and route. */
export type RouteExamples = Readonly<Record<string, RouteExample>>;
