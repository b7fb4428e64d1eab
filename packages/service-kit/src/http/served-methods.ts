import type { FastifyInstance } from "fastify";

/** Lists the methods that some route serves at a path, `OPTIONS` and catch-alls apart. Refuses: never. */
export type ServedMethods = (path: string) => readonly string[];

/**
 * Follows the routes that are added to a server from here on, to find the methods of a path. A requested path is
 * matched against the routes, and never treated as a route.
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
