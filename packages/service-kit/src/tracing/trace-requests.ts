import type { Span, Tracer } from "./tracer.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The request's span, and the tracer for work that belongs to other traces; undefined without tracing. */
    trace: RequestTrace | undefined;
  }
}

/** The trace of a request. */
export interface RequestTrace {
  readonly tracer: Tracer;
  readonly span: Span;
}

const FIRST_FAULT = 500;

/**
 * Makes a span of each request that an app serves, as a part of the caller's trace where the header `traceparent` is
 * valid. Call it before the app listens.
 *
 * A request that is refused before its route's own checks has no span, so floods cost nothing. Refuses: never. Source: decision P7; W3C Trace Context.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest("trace", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.url !== undefined) request.trace = { tracer, span: startSpan(tracer, request) };
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    request.trace?.span.end({
      failed: statusCode >= FIRST_FAULT,
      attributes: { "http.response.status_code": statusCode },
    });
    done();
  });
}

function startSpan(tracer: Tracer, { method, routeOptions, headers }: FastifyRequest): Span {
  const route = routeOptions.url as string;
  const { traceparent } = headers;
  return tracer.startSpan(`${method} ${route}`, {
    kind: "server",
    parent: typeof traceparent === "string" ? traceparent : undefined,
    attributes: { "http.request.method": method, "http.route": route },
  });
}
