import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { inSpan, type Span } from "@dataspace/service-kit/tracing/tracer";
import type { Caller } from "../caller/caller.ts";
import type { DescribeOperation } from "../graphql/describe-operation.ts";
import type { ExecuteRequest, GraphQLAnswer } from "../graphql/execute.ts";
import { type GraphQLRequest, readGraphQLRequest } from "../graphql/graphql-request.ts";
import { writeAnswer } from "../graphql/raw-json.ts";
import type { RequestError } from "../graphql/request-error.ts";
import type { ResolverContext } from "../graphql/resolver.ts";
import type { OpenReadBudget, ReadBudget } from "../operations/read-budget.ts";
import type { Warning } from "../operations/warning.ts";
import { type AddressedDeps, addressedCaller, assertStillCaller } from "./addressed-request.ts";
import type { AnswerOnce, AnswerText, KeyedRequest, RunOutcome, RunPlace } from "./answer-once.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { openBudget } from "./open-budget.ts";
import type { OperationDepsFor } from "./operation-deps-for.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller; set before the body is read. */
    caller: Caller | undefined;
  }
}

/** The dependencies of the GraphQL endpoint: identification, execution, and what operations need. */
export interface GraphQLDoorDeps {
  readonly addressed: AddressedDeps;
  readonly execute: ExecuteRequest;
  readonly describeOperation: DescribeOperation;
  readonly answerOnce: AnswerOnce;
  readonly operationDepsFor: OperationDepsFor;
  readonly openReadBudget: OpenReadBudget;
}

const MAX_BODY_BYTES = 16 * 1_048_576;
const MAX_ANONYMOUS_BODY_BYTES = 1_048_576;
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * POST /graphql: identifies the caller, reads the body within the caller's limit, checks the credential again, runs the
 * document.
 *
 * A refusal before the document runs is answered both as `error`, like every endpoint, and as GraphQL `errors`.
 * Source: S1 "Endpoints"; decisions P9, V2, V20, V26.
 */
export function mountGraphQL(app: FastifyInstance, deps: GraphQLDoorDeps): void {
  app.decorateRequest("caller", undefined);
  app.decorateRequest("hadArrivedWhenIdentified", false);
  app.post("/graphql", {
    onRequest: async (request) => {
      const caller = await addressedCaller(deps.addressed, request);
      request.caller = caller;
      request.maxBodyBytes = caller.principal.kind === "anonymous" ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES;
      request.bodyHolder = callerKey(caller);
    },
    errorHandler: (error, request, reply) => {
      const answered = errorToAnswer(error);
      if (answered.status >= 500) request.log.error({ err: error }, "a GraphQL request failed");
      const { code, message } = answered.body.error;
      return refuseWith(reply, answered).send({ ...answered.body, errors: [{ message, extensions: { code } }] });
    },
    handler: async (request, reply) => {
      await assertStillCaller(deps.addressed, request, request.caller as Caller);
      const asked = readGraphQLRequest(request.body);
      const budget = openBudget(deps, request.caller as Caller, reply);
      const span = startOperationSpan(deps, request, asked);
      const { status, text } = await inSpan(span, () => answer(deps, request, { asked, budget, span }));
      return reply.code(status).type(JSON_TYPE).send(text);
    },
  });
}

/** What one request runs: its document, within its budget, in its span. */
interface Run {
  readonly asked: GraphQLRequest;
  readonly budget: ReadBudget;
  readonly span: Span | undefined;
}

function startOperationSpan(
  { describeOperation }: GraphQLDoorDeps,
  { trace }: FastifyRequest,
  asked: GraphQLRequest,
): Span | undefined {
  const operation = trace && describeOperation(asked);
  if (operation === undefined) return undefined;
  const { type, fields } = operation;
  const attributes = { "graphql.operation.type": type, "graphql.operation.name": fields };
  return trace?.span.startChild(`${type} ${fields}`, { attributes });
}

async function answer(
  deps: GraphQLDoorDeps,
  request: FastifyRequest,
  { asked, budget, span }: Run,
): Promise<Omit<AnswerText, "text"> & { readonly text: string | Buffer }> {
  const caller = request.caller as Caller;
  if (isKeyed(request, caller) && deps.describeOperation(asked)?.type === "mutation") {
    const keyed = { caller, key: readIdempotencyKey(request), asked };
    return deps.answerOnce(keyed, (place) => runIn(place, deps, { asked, caller, budget, span }));
  }
  const { warn, addWarnings } = collectWarnings();
  const operationDeps = deps.operationDepsFor({ budget, warn, span });
  const context: ResolverContext = { caller, deps: operationDeps, addRefusal: () => undefined };
  const { status, body } = addWarnings(await deps.execute(asked, context));
  return { status, text: await writeAnswer(body) };
}

/** Collects the warnings of a request; `addWarnings` adds them to its answer. */
function collectWarnings() {
  const warnings: Warning[] = [];
  return {
    warn: (warning: Warning) => void warnings.push(warning),
    addWarnings: ({ status, body }: GraphQLAnswer): GraphQLAnswer => ({
      status,
      body: warnings.length === 0 ? body : { ...body, extensions: { warnings } },
    }),
  };
}

async function runIn(
  place: RunPlace,
  { execute, operationDepsFor }: GraphQLDoorDeps,
  { asked, caller, budget, span }: Run & Pick<KeyedRequest, "caller">,
): Promise<RunOutcome> {
  const refusals: RequestError[] = [];
  const { warn, addWarnings } = collectWarnings();
  const { tokenUse } = caller;
  const context: ResolverContext = {
    // A run that is rolled back has not spent the token.
    caller: { ...caller, tokenUse: tokenUse && { ...tokenUse } },
    deps: operationDepsFor({ budget, warn, place, span }),
    addRefusal: (refused) => refusals.push(refused),
  };
  return { answer: addWarnings(await execute(asked, context)), refusals };
}

// Undefined for an unproven caller: the source address counts.
function callerKey({ owner, subject, platform }: Caller): string | undefined {
  return subject === null && platform === null ? undefined : `${owner} ${subject ?? platform}`;
}

function isKeyed({ headers }: FastifyRequest, { principal }: Caller): boolean {
  return headers["idempotency-key"] !== undefined && principal.kind !== "anonymous";
}
