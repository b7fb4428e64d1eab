import { createHttpServer } from "@dataspace/service-kit/http-server";
import { countRequests } from "@dataspace/service-kit/request-metrics";
import { mountUi, sendPage } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import type { CrossOriginPolicy } from "@dataspace/service-kit/cross-origin";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/metrics";
import type { BrowserApp } from "./bundle.ts";
import { sandboxPage } from "./sandbox-page.ts";
import type { FastifyInstance } from "fastify";

/** What a sandbox works with. `app` is waited for at the first visit. */
export interface SandboxDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly app: Promise<BrowserApp>;
}

/** Whom the sandbox asks until its visitor says otherwise. */
export interface SandboxConfig {
  readonly registryUrl: string;
  readonly provisionerUrl: string;
  readonly cors: CrossOriginPolicy;
}

const BODY_LIMIT_BYTES = 1_024;
const FOREVER = "public, max-age=31536000, immutable";
/** It asks whichever vault and platform its visitor names; scripts and styles are its own alone. */
const POLICY = { connectTo: "any", camera: true } as const;

/** Makes the sandbox: one page and what it loads; everything happens in the visitor's browser. Source: S3 "Sandbox". */
export function createSandboxServer(deps: SandboxDeps, config: SandboxConfig): FastifyInstance {
  const { log, app } = deps;
  const server = createHttpServer({ log, bodyLimitBytes: BODY_LIMIT_BYTES, cors: config.cors, allowedHeaders: [] });
  countRequests(server, deps.metrics);
  const ui = createUi();
  mountUi(server, ui);
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/", async (_request, reply) => {
    const { entry } = await app;
    return sendPage(reply, await ui.render(sandboxPage(config, entry)), POLICY);
  });
  server.get("/app/*", async (request, reply) => {
    const code = (await app).files.get(request.url);
    if (code === undefined) return reply.callNotFound();
    return reply
      .header("cache-control", FOREVER)
      .header("x-content-type-options", "nosniff")
      .type("text/javascript; charset=utf-8")
      .send(code);
  });
  return server;
}
