import type { FastifyInstance } from "fastify";

/** What the service answers to, as JSON text for tools. */
export interface Reference {
  readonly document: () => string;
}

/** Serves the reference: `GET /openapi.json`. Refuses: never. Source: OpenAPI Specification 3.1.1. */
export function mountReference(app: FastifyInstance, reference: Reference): void {
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(reference.document()),
  );
}
