import type { Deliveries, DeliveryQuery, OwnSubscription } from "../delivery/deliveries.ts";
import type { PublishedWebhookKey } from "../delivery/webhook-signing-key.ts";
import { awarenessRefusal } from "../errors.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { ConsumerOf } from "./consumer-of.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

type ById = { readonly Params: { readonly id: string }; readonly Querystring: DeliveryQuery };

const KEYS_CACHE_SECONDS = 300;

/**
 * Serves the results of a subscription's deliveries, under `/api/subscriptions/:id`: `GET attempts` and `dead-letters`,
 * `POST redrive` and `replay`, `GET replay`.
 *
 * Refuses: as `Deliveries` and `ConsumerOf`; NOT_FOUND for a subscription that is not the consumer's. Source: decision
 * E7.
 */
export function mountDeliveries(
  app: FastifyInstance,
  deps: { readonly consumerOf: ConsumerOf; readonly subscriptions: Subscriptions; readonly deliveries: Deliveries },
): void {
  const { consumerOf, subscriptions, deliveries } = deps;
  const own = async (request: FastifyRequest<ById>): Promise<OwnSubscription> => {
    const asker = await consumerOf(request);
    const { id } = await subscriptions.find(asker.consumer.id, request.params.id);
    return { asker, id };
  };
  app.get<ById>("/api/subscriptions/:id/attempts", async (request) => {
    const { entries, next } = await deliveries.attempts((await own(request)).id, request.query);
    return { attempts: entries, next };
  });
  app.get<ById>("/api/subscriptions/:id/dead-letters", async (request) => {
    const { entries, next } = await deliveries.deadLetters(await own(request), request.query);
    return { deadLetters: entries, next };
  });
  app.post<ById>("/api/subscriptions/:id/redrive", async (request, reply) => {
    const answer = await deliveries.redrive(await own(request), request.body);
    return reply.code(answer.job === undefined ? 200 : 202).send(answer);
  });
  app.post<ById>("/api/subscriptions/:id/replay", async (request, reply) => {
    const answer = await deliveries.replay(await own(request), request.body);
    return reply.code(answer.job === undefined ? 200 : 202).send(answer);
  });
  app.get<ById>("/api/subscriptions/:id/replay", async (request) => {
    const job = await deliveries.lastReplay((await own(request)).id);
    if (job !== undefined) return job;
    throw awarenessRefusal("NOT_FOUND", "Nothing of this subscription was replayed yet.");
  });
}

/** Serves the keys that verify v1a signatures, as a JWK set. Refuses: never. Source: decision E3; RFC 7517. */
export function mountWebhookKeys(app: FastifyInstance, published: readonly PublishedWebhookKey[]): void {
  app.get("/.well-known/webhook-keys", async (_request, reply) => {
    reply.header("cache-control", `public, max-age=${KEYS_CACHE_SECONDS}`);
    return { keys: published };
  });
}
