import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { Log } from "@dataspace/service-kit/log";
import type { Warning } from "../operations/warning.ts";
import { errorsToAnswer } from "./errors-to-answer.ts";
import type { GraphQLRequest } from "./graphql-request.ts";
import type { PrepareDocument, PreparedDocument } from "./prepare-document.ts";
import type { RequestError } from "./request-error.ts";

/** A GraphQL answer with its HTTP status. */
export interface GraphQLAnswer {
  readonly status: number;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly RequestError[];
    readonly extensions?: { readonly warnings: readonly Warning[] };
  };
}

/** Runs a request against the schema, with the resolvers' context. Refuses: GRAPHQL_LIMIT_EXCEEDED. */
export type ExecuteRequest = (request: GraphQLRequest, context: unknown) => Promise<GraphQLAnswer>;

/** `compileFrom` is the execution from which on a document runs compiled; Infinity never compiles. */
export interface ExecuteDeps {
  readonly schema: GraphQLSchema;
  readonly prepare: PrepareDocument;
  readonly log: Log;
  readonly compileFrom: number;
}

type Runnable = Extract<PreparedDocument, { document: unknown }>;
type Compile = (prepared: Runnable, operation: OperationDefinitionNode) => CompiledQuery | undefined;

const COMPILED_DOCUMENTS = 200;
const MAX_VARIABLE_ERRORS = 20;

/**
 * Makes the execution of GraphQL requests. A repeated document is compiled to a function, which costs a fraction of the
 * interpreter for a page; a document seen once is not worth compiling. Faulty variables are found before it runs, 20 at
 * most, because a compiled function would describe every faulty item of a list.
 *
 * Out: 400 when the document does not parse or validate, or variables do not match; 503 when the storage cannot answer;
 * otherwise 200.
 * Source: decisions P2, V2, V25.
 */
export function createExecuteRequest({ schema, prepare, log, compileFrom }: ExecuteDeps): ExecuteRequest {
  const compile = createCompile(schema);
  return async (request, context) => {
    const prepared = prepare(request.query);
    if ("faults" in prepared) return { status: 400, body: { errors: prepared.faults } };
    prepared.executions += 1;
    const operation = prepared.executions >= compileFrom ? findOperation(prepared, request) : undefined;
    const compiled = operation && compile(prepared, operation);
    if (operation === undefined || compiled === undefined) {
      return toAnswer(await interpret({ schema, document: prepared.document, contextValue: context }, request), log);
    }
    const variables = request.variables ?? {};
    const limit = { maxErrors: MAX_VARIABLE_ERRORS };
    const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, limit);
    if (errors !== undefined) return toAnswer({ errors }, log);
    return toAnswer((await compiled.query(undefined, context, variables)) as ExecutionResult, log);
  };
}

// The interpreter refuses an operation name that the document does not have.
function findOperation({ compilable }: Runnable, { operationName }: GraphQLRequest): Runnable["compilable"] {
  return operationName === undefined || operationName === compilable?.name?.value ? compilable : undefined;
}

function interpret(
  args: Pick<ExecutionArgs, "schema" | "document" | "contextValue">,
  { variables, operationName }: GraphQLRequest,
): ReturnType<typeof execute> {
  return execute({ ...args, variableValues: variables ?? null, operationName: operationName ?? null });
}

function createCompile(schema: GraphQLSchema): Compile {
  const known = new LRUCache<Runnable, { readonly compiled: CompiledQuery | undefined }>({ max: COMPILED_DOCUMENTS });
  return (prepared, operation) => {
    const made = known.get(prepared);
    if (made !== undefined) return made.compiled;
    const result = compileQuery(schema, prepared.document, operation.name?.value);
    const compiled = isCompiledQuery(result) ? result : undefined;
    known.set(prepared, { compiled });
    return compiled;
  };
}

function toAnswer(result: ExecutionResult, log: Log): GraphQLAnswer {
  if (result.errors === undefined) return { status: 200, body: { data: result.data } };
  const hasRun = "data" in result && result.data !== undefined;
  const { errors, status } = errorsToAnswer(result.errors, { hasRun, log });
  return { status, body: hasRun ? { data: result.data, errors } : { errors } };
}
