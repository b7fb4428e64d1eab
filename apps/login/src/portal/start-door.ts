import { findReadinessFault } from "@dataspace/service-kit/monitoring/readiness";
import { asksForJson, mountErrorPages } from "@dataspace/ui/front-door";
import type { Ui } from "@dataspace/ui/ui";
import type { FastifyInstance } from "fastify";

const LINKS = {
  portal: "/portal",
  docs: "/portal/api",
  openapi: "/api/openapi.json",
  discovery: "/.well-known/openid-configuration",
  health: "/healthz",
} as const;

/**
 * GET /: to the portal, or JSON `{service, status, links}` for a program that asks for JSON. Refusals are pages in a
 * browser. Refuses: never. Source: S2 "Endpoints" (GET /).
 */
export function mountStart(app: FastifyInstance, ui: Ui): void {
  app.get("/", async (request, reply) => {
    reply.header("vary", "Accept");
    if (!asksForJson(request)) return reply.redirect("/portal", 302);
    return { service: "login", status: findReadinessFault(app) === undefined ? "ok" : "failing", links: LINKS };
  });
  mountErrorPages(app, ui, "login");
}
