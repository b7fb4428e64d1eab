import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { CrossOriginPolicy } from "@dataspace/service-kit/http/cross-origin";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { BrowserApp } from "./bundle.ts";
import type { SandboxConnection } from "./sandbox-page.ts";
import { mountStart } from "./start-door.ts";
import type { FastifyInstance } from "fastify";

/**
 * The dependencies of a sandbox. `app` is awaited at the first visit; a failure is logged at once, and shown at each
 * visit.
 */
export interface SandboxDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly app: Promise<BrowserApp>;
}

/** The initial connection, until the visitor changes it, and how the server behaves. */
export interface SandboxConfig extends SandboxConnection {
  readonly cors: CrossOriginPolicy;
  /** The proxies whose X-Forwarded-For and X-Forwarded-Proto are read; absent: none. */
  readonly trustedProxies?: readonly string[];
}

const BODY_LIMIT_BYTES = 1_024;
const FOREVER = "public, max-age=31536000, immutable";

/** Makes the sandbox: one page and its files; everything happens in the visitor's browser. Source: S3 "Sandbox". */
export function createSandboxServer(deps: SandboxDeps, config: SandboxConfig): FastifyInstance {
  const { log } = deps;
  const app = deps.app.catch((error: unknown) => {
    log.error({ err: error }, "the sandbox's program could not be built");
    return undefined;
  });
  const server = createHttpServer({ ...config, log, bodyLimitBytes: BODY_LIMIT_BYTES, allowedHeaders: [] });
  countRequests(server, deps.metrics);
  const ui = createUi();
  mountUi(server, ui);
  server.get("/healthz", async () => ({ status: "ok" }));
  mountStart(server, { ui, app }, config);
  server.get("/app/*", async (request, reply) => {
    const code = (await app)?.files.get(request.url);
    if (code === undefined)
      throw new Refusal("NOT_FOUND", "There is no such file; load the page again.", { status: 404 });
    return reply
      .header("cache-control", FOREVER)
      .header("x-content-type-options", "nosniff")
      .type(request.url.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8")
      .send(code);
  });
  return server;
}
