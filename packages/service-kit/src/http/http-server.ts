import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Log } from "../log.ts";
import { closeConnectionsInTime } from "./closing-connections.ts";
import { assertOriginAllowed, type CrossOriginPolicy } from "./cross-origin.ts";
import { type ErrorAnswer, errorToAnswer } from "./error-answer.ts";
import { findRepeatedHeader } from "./raw-headers.ts";
import { Refusal } from "./refusal.ts";
import { answerParserFault, answerUnservedRequests } from "./refused-connections.ts";
import { acceptOnlyJson } from "./request-bodies.ts";
import { followRoutes, type ServedMethods } from "./served-methods.ts";
import { cutUnreadAnswers } from "./unread-answers.ts";

/**
 * The configuration of a service's HTTP server. `bodyLimitBytes` applies to JSON bodies; `allowedHeaders` are for CORS.
 * On a connection from one of `trustedProxies`, `request.ip` and `request.protocol` come from X-Forwarded-For and
 * X-Forwarded-Proto. The address is the rightmost one in the header that is not a trusted proxy. Without trusted
 * proxies both headers are ignored.
 */
export interface HttpServerConfig {
  readonly log: Log;
  readonly bodyLimitBytes: number;
  readonly cors: CrossOriginPolicy;
  readonly allowedHeaders: readonly string[];
  readonly trustedProxies?: readonly string[];
}

const REQUEST_TIMEOUT_MS = 35_000;
const HEADERS_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUTS_EVERY_MS = 5_000;
const UNREAD_ANSWER_MS = 30_000;
const RETRY_AFTER_SECONDS = "1";
/** The reason to close the connection: the rest of such a request's body is not read. */
const CLOSING_STATUSES: ReadonlySet<number> = new Set([408, 413]);
const PREFLIGHT_SECONDS = "7200";

/**
 * Makes the HTTP server of a service. It refuses repeated headers, origins that are not allowed, unsupported encodings
 * and media types. It reads JSON within its limits, answers preflights and cuts off unread answers. Every thrown error,
 * and everything that Node's parser refuses, becomes `{error:{code,message}}`.
 *
 * Refuses: BAD_REQUEST (400), ORIGIN_NOT_ALLOWED (403), NOT_FOUND (404), METHOD_NOT_ALLOWED (405), REQUEST_TIMEOUT
 * (408), PAYLOAD_TOO_LARGE (413), UNSUPPORTED_MEDIA_TYPE (415), INTERNAL_ERROR (500), BUSY (503).
 * Source: decisions I1, P9, V2, V20, V25.
 */
export function createHttpServer(config: HttpServerConfig): FastifyInstance {
  const app = Fastify({
    loggerInstance: config.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitBytes,
    // A logger per request would cost more than the work of most requests.
    childLoggerFactory: (log) => log,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustedProxies?.length ? [...config.trustedProxies] : false,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
      // Node answers a request without Host with an empty body; the hook below sends an error body.
      requireHostHeader: false,
    },
    clientErrorHandler: answerParserFault,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    routerOptions: { maxParamLength: 256 },
  }) as unknown as FastifyInstance;
  const servedMethods = followRoutes(app);
  // Without promises: these two run for every request of every service.
  app.addHook("onRequest", (request, reply, done) => {
    allowOrigin(config, request, reply);
    assertSingleHeaders(request);
    done();
  });
  closeConnectionsInTime(app);
  cutUnreadAnswers(app, UNREAD_ANSWER_MS);
  answerUnservedRequests(app);
  acceptOnlyJson(app, config.bodyLimitBytes);
  answerPreflights(app, config, servedMethods);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => answerError(unknownRoute(servedMethods, request), request, reply));
  return app;
}

function allowOrigin(config: HttpServerConfig, request: FastifyRequest, reply: FastifyReply): void {
  assertOriginAllowed(config.cors, request.headers.host, request.headers.origin);
  if (config.cors.origins === "any") reply.header("access-control-allow-origin", "*");
  else if (request.headers.origin !== undefined) {
    reply.header("access-control-allow-origin", request.headers.origin).header("vary", "Origin");
  }
}

function assertSingleHeaders(request: FastifyRequest): void {
  const { raw } = request;
  if (raw.headers.host === undefined && raw.httpVersion === "1.1")
    throw new Refusal("BAD_REQUEST", "The header Host is missing.", { status: 400 });
  const repeated = findRepeatedHeader(raw);
  if (repeated === undefined) return;
  throw new Refusal("BAD_REQUEST", `The header ${repeated} was sent more than once; send it once.`, { status: 400 });
}

function answerPreflights(app: FastifyInstance, config: HttpServerConfig, servedMethods: ServedMethods): void {
  app.options("/*", async (request, reply) => {
    const path = request.url.split("?")[0] as string;
    return reply
      .header("access-control-allow-methods", [...servedMethods(path), "OPTIONS"].join(", "))
      .header("access-control-allow-headers", config.allowedHeaders.join(", "))
      .header("access-control-max-age", PREFLIGHT_SECONDS)
      .code(204)
      .send();
  });
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = errorToAnswer(error);
  if (answer.status >= 500 && !isClientGone(error, request))
    request.log.error({ err: error, route: request.routeOptions.url, client: request.ip }, "the request failed");
  return refuseWith(reply, answer).send(answer.body);
}

// Reading the body fails when the client resets the connection; the service is not at fault.
function isClientGone(error: unknown, { raw }: FastifyRequest): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return raw.socket.destroyed && (code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE");
}

/** Sets the status and the headers of a refusal; the caller adds the body. Source: decision V2. */
export function refuseWith(reply: FastifyReply, { status, body, retryAfterSeconds }: ErrorAnswer): FastifyReply {
  if (CLOSING_STATUSES.has(status)) reply.header("connection", "close");
  if (body.error.code === "BUSY" || body.error.code === "TRY_AGAIN") reply.header("retry-after", RETRY_AFTER_SECONDS);
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  return reply.code(status);
}

function unknownRoute(servedMethods: ServedMethods, request: FastifyRequest): Refusal {
  const path = request.url.split("?")[0] as string;
  return servedMethods(path).length > 0
    ? new Refusal("METHOD_NOT_ALLOWED", `${path} does not serve ${request.method}.`, { status: 405 })
    : new Refusal("NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`, { status: 404 });
}
