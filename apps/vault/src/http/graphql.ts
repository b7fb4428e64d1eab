import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import type { Caller } from "../caller/caller.ts";
import type { ExecuteRequest, GraphQLAnswer } from "../graphql/execute.ts";
import { type GraphQLRequest, readGraphQLRequest } from "../graphql/graphql-request.ts";
import type { IsMutation } from "../graphql/is-mutation.ts";
import { writeAnswer } from "../graphql/raw-json.ts";
import type { ResolverContext } from "../graphql/resolver.ts";
import type { OpenReadBudget } from "../operations/read-budget.ts";
import type { Warning } from "../operations/warning.ts";
import { type AddressedDeps, addressedCaller } from "./addressed-request.ts";
import type { AnswerOnce, AnswerText } from "./answer-once.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { createAdmitBody } from "./large-bodies.ts";
import { openBudget } from "./open-budget.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks; set before the body is read. */
    caller: Caller | undefined;
  }
}

/** What the GraphQL door needs: whom and who, the execution, and what operations need. */
export interface GraphQLDoorDeps extends AddressedDeps {
  readonly execute: ExecuteRequest;
  readonly isMutation: IsMutation;
  readonly answerOnce: AnswerOnce;
  readonly operationDeps: Omit<ResolverContext["deps"], "warn" | "budget">;
  readonly openReadBudget: OpenReadBudget;
}

const MAX_BODY_BYTES = 16 * 1_048_576;
const MAX_ANONYMOUS_BODY_BYTES = 1_048_576;
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * POST /graphql: caller first, then the body within the caller's bound, then the document.
 *
 * A refusal before the document runs is answered both as `error`, like every endpoint, and as GraphQL `errors`.
 * Source: S1 "Endpoints"; decisions P9, V2, V20.
 */
export function mountGraphQL(app: FastifyInstance, deps: GraphQLDoorDeps): void {
  const admitBody = createAdmitBody();
  app.decorateRequest("caller", undefined);
  app.post("/graphql", {
    onRequest: async (request, reply) => {
      const caller = await addressedCaller(deps, request);
      request.caller = caller;
      request.maxBodyBytes = caller.principal.kind === "anonymous" ? MAX_ANONYMOUS_BODY_BYTES : MAX_BODY_BYTES;
      admitBody(request, reply);
    },
    errorHandler: (error, request, reply) => {
      const { status, body } = errorToAnswer(error);
      if (status >= 500) request.log.error({ err: error }, "a GraphQL request failed");
      if (status === 413) reply.header("connection", "close");
      const { code, message } = body.error;
      return reply.code(status).send({ ...body, errors: [{ message, extensions: { code } }] });
    },
    handler: async (request, reply) => {
      const asked = readGraphQLRequest(request.body);
      const budget = openBudget(deps, request.caller as Caller, reply);
      const { status, text } = await answer(
        { ...deps, operationDeps: { ...deps.operationDeps, budget } },
        request,
        asked,
      );
      return reply.code(status).type(JSON_TYPE).send(text);
    },
  });
}

async function answer(
  deps: Pick<GraphQLDoorDeps, "execute" | "isMutation" | "answerOnce"> & {
    readonly operationDeps: Omit<ResolverContext["deps"], "warn">;
  },
  request: FastifyRequest,
  asked: GraphQLRequest,
): Promise<Omit<AnswerText, "text"> & { readonly text: string | Buffer }> {
  const caller = request.caller as Caller;
  const { operationDeps } = deps;
  if (isKeyed(request, caller) && deps.isMutation(asked)) {
    const keyed = { caller, key: readIdempotencyKey(request), asked };
    const answered = await deps.answerOnce(keyed, (database) =>
      executeWarning(deps, asked, { caller, deps: { ...operationDeps, database } }),
    );
    operationDeps.announce();
    return answered;
  }
  const { status, body } = await executeWarning(deps, asked, { caller, deps: operationDeps });
  return { status, text: await writeAnswer(body) };
}

async function executeWarning(
  { execute }: Pick<GraphQLDoorDeps, "execute">,
  asked: GraphQLRequest,
  { caller, deps }: { readonly caller: Caller; readonly deps: Omit<ResolverContext["deps"], "warn"> },
): Promise<GraphQLAnswer> {
  const warnings: Warning[] = [];
  const context: ResolverContext = { caller, deps: { ...deps, warn: (warning) => warnings.push(warning) } };
  const { status, body } = await execute(asked, context);
  return { status, body: warnings.length === 0 ? body : { ...body, extensions: { warnings } } };
}

function isKeyed({ headers }: FastifyRequest, { principal }: Caller): boolean {
  return headers["idempotency-key"] !== undefined && principal.kind !== "anonymous";
}
