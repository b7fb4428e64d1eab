import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance } from "fastify";

type ById = { readonly Params: { readonly id: string } };

/**
 * Serves a consumer's subscriptions: `POST` and `GET /api/subscriptions`, `GET`, `PATCH` and `DELETE
 * /api/subscriptions/:id`. `POST /api/subscriptions/:id/rotate-secret` answers with a new secret. `POST
 * /api/subscriptions/:id/test` sends one webhook now and returns the outcome.
 *
 * Refuses: as `Subscriptions` and `ConsumerOf`. Source: decision E9.
 */
export function mountSubscriptions(
  app: FastifyInstance,
  { consumerOf, subscriptions }: { readonly consumerOf: ConsumerOf; readonly subscriptions: Subscriptions },
): void {
  app.post("/api/subscriptions", async (request, reply) => {
    const added = await subscriptions.add(await consumerOf(request), request.body);
    return reply.code(201).header("cache-control", "no-store").send(added);
  });
  app.get("/api/subscriptions", async (request) => {
    const { consumer } = await consumerOf(request);
    return { subscriptions: await subscriptions.list(consumer.id) };
  });
  app.get<ById>("/api/subscriptions/:id", async (request) => {
    const { consumer } = await consumerOf(request);
    return subscriptions.find(consumer.id, request.params.id);
  });
  app.patch<ById>("/api/subscriptions/:id", async (request) =>
    subscriptions.change(await consumerOf(request), request.params.id, request.body),
  );
  app.post<ById>("/api/subscriptions/:id/test", async (request) => {
    const asker = await consumerOf(request);
    const { status, error, answer, durationMs } = await subscriptions.test(asker, request.params.id);
    return { status, error, answer, durationMs };
  });
  app.post<ById>("/api/subscriptions/:id/rotate-secret", async (request, reply) => {
    const rotated = await subscriptions.rotateSecret(await consumerOf(request), request.params.id, request.body);
    return reply.header("cache-control", "no-store").send(rotated);
  });
  app.delete<ById>("/api/subscriptions/:id", async (request, reply) => {
    await subscriptions.remove(await consumerOf(request), request.params.id);
    return reply.code(204).send();
  });
}
