import { sendPage } from "@dataspace/ui/mount-ui";
import type { FastifyInstance } from "fastify";

/** The API reference: as JSON text for tools, and as a page for people. */
export interface Reference {
  readonly document: () => string;
  readonly page: () => Promise<string>;
}

/** Serves the reference: `GET /openapi.json` and `GET /docs`. Refuses: never. Source: OpenAPI Specification 3.1.1. */
export function mountReference(app: FastifyInstance, reference: Reference): void {
  app.get("/openapi.json", async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(reference.document()),
  );
  app.get("/docs", async (_request, reply) => sendPage(reply, await reference.page()));
}
