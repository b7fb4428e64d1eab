import type { Metrics } from "./metrics.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Counts an app's requests by route and status, and measures their duration by route. Call it before the app has
 * routes.
 *
 * A route is its method and its pattern, never the requested path. A path without a route counts as `unknown`, so that
 * strangers cannot create labels. Source: decision P6; T-92.
 */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  const count = metrics.addCounter({
    name: "http_requests_total",
    help: "Requests that were answered.",
    labels: ["route", "code"],
  });
  const time = metrics.addDurations({
    name: "http_request_duration_seconds",
    help: "From a request's arrival to the end of its answer; of a stream, how long it was open.",
    labels: ["route"],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = routeOf(request);
    count({ route, code: reply.statusCode });
    time({ route }, reply.elapsedTime / 1_000);
    done();
  });
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return routeOptions.url === undefined ? "unknown" : `${method} ${routeOptions.url}`;
}
