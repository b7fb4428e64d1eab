import type { IncomingMessage } from "node:http";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Log } from "../log.ts";
import { assertOriginAllowed, type CrossOriginPolicy } from "./cross-origin.ts";
import { errorToAnswer } from "./error-answer.ts";
import { readJsonBody } from "./json-body.ts";
import { findRepeatedHeader } from "./raw-headers.ts";
import { Refusal } from "./refusal.ts";
import { followRoutes, type ServedMethods } from "./served-methods.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The longest body this request may have, in bytes; a hook may set it once it knows the caller. */
    maxBodyBytes: number;
  }
}

/**
 * What a service's HTTP server is made of. `bodyLimitBytes` holds for JSON bodies; `allowedHeaders` are CORS's. From a connection of
 * one of `trustedProxies`, `request.ip` and `request.protocol` are those of X-Forwarded-For and X-Forwarded-Proto: of the addresses
 * in the header the rightmost that is no trusted proxy. Without them both headers are ignored.
 */
export interface HttpServerConfig {
  readonly log: Log;
  readonly bodyLimitBytes: number;
  readonly cors: CrossOriginPolicy;
  readonly allowedHeaders: readonly string[];
  readonly trustedProxies?: readonly string[];
}

const REQUEST_TIMEOUT_MS = 60_000;
const CLOSE_IDLE_EVERY_MS = 50;
const PREFLIGHT_SECONDS = "7200";

/**
 * Makes the HTTP server that every service starts from: it refuses repeated headers, unwelcome origins, encodings and media
 * types, reads JSON within its bound, answers preflights, and turns every thrown error into `{error:{code,message}}`.
 *
 * Refuses: BAD_REQUEST (400), ORIGIN_NOT_ALLOWED (403), NOT_FOUND (404), METHOD_NOT_ALLOWED (405), PAYLOAD_TOO_LARGE (413),
 * UNSUPPORTED_MEDIA_TYPE (415), INTERNAL_ERROR (500).
 * Source: decisions I1, P9, V2, V20.
 */
export function createHttpServer(config: HttpServerConfig): FastifyInstance {
  const app = Fastify({
    loggerInstance: config.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitBytes,
    // A logger of its own for each request would cost more than most requests' work.
    childLoggerFactory: (log) => log,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustedProxies?.length ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 256 },
  }) as unknown as FastifyInstance;
  const servedMethods = followRoutes(app);
  app.decorateRequest("maxBodyBytes", config.bodyLimitBytes);
  // Without promises: these two run for every request of every service.
  app.addHook("onRequest", (request, reply, done) => {
    allowOrigin(config, request, reply);
    assertSingleHeaders(request);
    done();
  });
  closeConnectionsAsTheyIdle(app);
  acceptOnlyJson(app);
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
  const repeated = findRepeatedHeader(request.raw);
  if (repeated === undefined) return;
  throw new Refusal("BAD_REQUEST", `The header ${repeated} was sent more than once; send it once.`, { status: 400 });
}

// A connection whose answer is just going out when the server closes becomes idle a moment later, and would then hold up the
// end for as long as connections are kept alive.
function closeConnectionsAsTheyIdle(app: FastifyInstance): void {
  app.addHook("preClose", (done) => {
    const timer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS).unref();
    app.server.once("close", () => clearInterval(timer));
    done();
  });
}

function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i,
    (request: FastifyRequest, body: IncomingMessage) => {
      const encoding = request.headers["content-encoding"];
      if (encoding !== undefined && encoding !== "identity")
        throw unsupported("Send the body without Content-Encoding.");
      return readJsonBody(body, request.maxBodyBytes);
    },
  );
  app.addContentTypeParser("*", async () => {
    throw unsupported("Send the body as application/json, in UTF-8.");
  });
}

function unsupported(message: string): Refusal {
  return new Refusal("UNSUPPORTED_MEDIA_TYPE", message, { status: 415 });
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
  if (answer.status >= 500)
    request.log.error({ err: error, route: request.routeOptions.url, client: request.ip }, "the request failed");
  if (answer.status === 413) reply.header("connection", "close");
  return reply.code(answer.status).send(answer.body);
}

function unknownRoute(servedMethods: ServedMethods, request: FastifyRequest): Refusal {
  const path = request.url.split("?")[0] as string;
  return servedMethods(path).length > 0
    ? new Refusal("METHOD_NOT_ALLOWED", `${path} does not serve ${request.method}.`, { status: 405 })
    : new Refusal("NOT_FOUND", `There is nothing at ${path.slice(0, 200)}.`, { status: 404 });
}
