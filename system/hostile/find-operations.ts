import type { ConstellationProcess } from "./constellation-process.ts";
import type { Operation } from "./operation.ts";
import { operationsOfGraphQL } from "./operations-of-graphql.ts";
import { type OpenApiDocument, operationsOfOpenApi } from "./operations-of-open-api.ts";
import type { ServedRoute } from "./probe.ts";
import type { RouteExample } from "./route-example.ts";
import { routeExamples } from "./route-examples.ts";
import type { Scene } from "./scene.ts";

/** What is attacked, each served route without a description, and each described route that is not served. */
export interface FoundOperations {
  readonly operations: readonly Operation[];
  readonly faults: readonly string[];
}

interface Server {
  readonly service: string;
  readonly origin: string;
  readonly routes: ReadonlySet<string>;
}

/** Fastify adds HEAD to each GET and `/*` answers preflights; files of pages have a hash in their path. */
const EVERYWHERE = /^(?:HEAD .*|OPTIONS \/\*|GET \/(?:ui|login-files)\/.*)$/;

/**
 * Finds everything that the constellation serves: by its GraphQL schema, by its OpenAPI document, by the examples of routes, and
 * holds it against the routes that its servers really have.
 */
export async function findOperations(space: ConstellationProcess, scene: Scene): Promise<FoundOperations> {
  const servers = toServers(space, await space.routes());
  const examples = routeExamples(scene);
  const found = await Promise.all(servers.map((server) => operationsOf(server, examples[kindOf(server)] ?? {}, scene)));
  return { operations: found.flatMap(({ operations }) => operations), faults: found.flatMap(({ faults }) => faults) };
}

function toServers({ services }: ConstellationProcess, routes: readonly ServedRoute[]): readonly Server[] {
  return services.flatMap(({ name, url, adminUrl }) =>
    [
      { service: name, origin: url },
      { service: `${name} admin`, origin: adminUrl },
    ].map((server) => ({
      ...server,
      routes: new Set(
        routes.filter(({ origin }) => origin === server.origin).map(({ method, path }) => `${method} ${path}`),
      ),
    })),
  );
}

function kindOf({ service }: Server): string {
  return service.endsWith(" admin") ? "admin" : service;
}

async function operationsOf(
  server: Server,
  examples: Readonly<Record<string, RouteExample>>,
  scene: Scene,
): Promise<FoundOperations> {
  const where = { service: server.service, origin: server.origin };
  const byGraphQL = server.routes.has("POST /graphql")
    ? operationsOfGraphQL(where, await fetchText(`${server.origin}/schema.graphql`), scene)
    : [];
  const byExample = Object.entries(examples).map(([name, example]) => toOperation(where, name, example));
  const document = server.routes.has("GET /openapi.json")
    ? (JSON.parse(await fetchText(`${server.origin}/openapi.json`)) as OpenApiDocument)
    : { paths: {} };
  // An example knows more than the document: who may call, and values that exist here.
  const known = new Set([...byGraphQL, ...byExample].map(routeOf));
  const byOpenApi = operationsOfOpenApi(where, document, scene).filter((operation) => !known.has(routeOf(operation)));
  const described = new Set([...byGraphQL, ...byOpenApi, ...byExample].map(routeOf));
  const undescribed = [...server.routes].filter((route) => !described.has(route) && !EVERYWHERE.test(route));
  const unserved = [...described].filter((route) => !server.routes.has(route));
  return {
    operations: [...byGraphQL, ...byOpenApi, ...byExample],
    faults: [
      ...undescribed.map(
        (route) => `${server.service} serves ${route}, which is in no schema and not in route-examples.ts`,
      ),
      ...unserved.map(
        (route) => `${server.service} does not serve ${route}, which a schema or route-examples.ts describes`,
      ),
    ],
  };
}

function toOperation(where: Pick<Operation, "service" | "origin">, name: string, example: RouteExample): Operation {
  const [method = "", path = ""] = name.split(" ");
  const { params = {}, query = {}, headers = {}, body, callers = ["nobody", "forger"] } = example;
  return { ...where, name, method, path, params, query, headers, body, callers };
}

function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.text();
}
