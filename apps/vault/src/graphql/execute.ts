import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import type { Log } from "@dataspace/service-kit/log";
import type { Warning } from "../operations/warning.ts";
import { errorsToAnswer } from "./errors-to-answer.ts";
import type { GraphQLRequest } from "./graphql-request.ts";
import type { PrepareDocument, PreparedDocument } from "./prepare-document.ts";
import type { RequestError } from "./request-error.ts";

/** A GraphQL answer with the HTTP status it goes out under. */
export interface GraphQLAnswer {
  readonly status: number;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly RequestError[];
    readonly extensions?: { readonly warnings: readonly Warning[] };
  };
}

/** Runs a request against the schema, in the context its resolvers get. Refuses: GRAPHQL_LIMIT_EXCEEDED. */
export type ExecuteRequest = (request: GraphQLRequest, context: unknown) => Promise<GraphQLAnswer>;

/** `compileFrom` is the execution of a document from which on it runs compiled; Infinity never compiles. */
export interface ExecuteDeps {
  readonly schema: GraphQLSchema;
  readonly prepare: PrepareDocument;
  readonly log: Log;
  readonly compileFrom: number;
}

type Runnable = Extract<PreparedDocument, { document: unknown }>;

/**
 * Makes the execution of GraphQL requests. A document that comes again is compiled to a function, which answers a page at a
 * small part of the interpreter's cost; a document seen once is not worth compiling.
 *
 * Out: 400 for what does not parse, validate or fit its variables; 503 when the storage cannot answer; otherwise 200.
 * Source: decisions P2, V2.
 */
export function createExecuteRequest({ schema, prepare, log, compileFrom }: ExecuteDeps): ExecuteRequest {
  return async (request, context) => {
    const prepared = prepare(request.query);
    if ("faults" in prepared) return { status: 400, body: { errors: prepared.faults } };
    prepared.executions += 1;
    const again = prepared.compilable && prepared.executions >= compileFrom;
    const compiled = again ? compile(schema, prepared, request.operationName) : undefined;
    const result = await (compiled === undefined
      ? interpret({ schema, document: prepared.document, contextValue: context }, request)
      : compiled.query(undefined, context, request.variables ?? {}));
    return toAnswer(result as ExecutionResult, log);
  };
}

function interpret(
  args: Pick<ExecutionArgs, "schema" | "document" | "contextValue">,
  { variables, operationName }: GraphQLRequest,
): ReturnType<typeof execute> {
  return execute({ ...args, variableValues: variables ?? null, operationName: operationName ?? null });
}

function compile(
  schema: GraphQLSchema,
  prepared: Runnable,
  operationName: string | undefined,
): CompiledQuery | undefined {
  const name = operationName ?? "";
  let compiled = prepared.compiled.get(name);
  if (compiled === undefined) {
    compiled = compileQuery(schema, prepared.document, operationName);
    prepared.compiled.set(name, compiled);
  }
  // What cannot be compiled (an operation name that is not there) is left to the interpreter to refuse.
  return isCompiledQuery(compiled as CompiledQuery) ? (compiled as CompiledQuery) : undefined;
}

function toAnswer(result: ExecutionResult, log: Log): GraphQLAnswer {
  if (result.errors === undefined) return { status: 200, body: { data: result.data } };
  const hasRun = "data" in result && result.data !== undefined;
  const { errors, status } = errorsToAnswer(result.errors, { hasRun, log });
  return { status, body: hasRun ? { data: result.data, errors } : { errors } };
}
