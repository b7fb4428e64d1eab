import { SCHEMA_TEXT } from "../graphql/schema.ts";
import type { FastifyInstance } from "fastify";

/**
 * GET /schema.graphql, the published schema, and GET /healthz, which reports on this process only. Source: decision V1.
 */
export function mountDocuments(app: FastifyInstance): void {
  app.get("/schema.graphql", async (_request, reply) => reply.type("text/plain; charset=utf-8").send(SCHEMA_TEXT));
  app.get("/healthz", async () => ({ status: "ok", uptimeSeconds: Math.floor(process.uptime()) }));
}
