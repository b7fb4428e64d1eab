import type { FastifyInstance } from "fastify";

/** Lists the methods that some route serves at a path, `OPTIONS` and catch-alls apart. Refuses: never. */
export type ServedMethods = (path: string) => readonly string[];

/**
 * Follows the routes that a server is given from here on, to tell which methods a path has. A path that was sent is matched
 * against the routes; it is never taken for a route itself.
 */
export function followRoutes(app: FastifyInstance): ServedMethods {
  const routes: { readonly method: string; readonly pattern: URLPattern }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    if (url === "*" || url === "/*") return;
    for (const one of [method].flat()) routes.push({ method: one, pattern: new URLPattern({ pathname: url }) });
  });
  return (path) => [
    ...new Set(routes.filter(({ pattern }) => pattern.test({ pathname: path })).map(({ method }) => method)),
  ];
}
