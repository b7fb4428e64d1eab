import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import type { Identified, IdentifyConsumer } from "../consumers/identify-consumer.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Identifies the consumer of a request. Refuses: as `IdentifyConsumer`. */
export type ConsumerOf = (request: FastifyRequest) => Promise<Identified>;

/** Makes `ConsumerOf`. Source: decision E9. */
export function createConsumerOf(identify: IdentifyConsumer): ConsumerOf {
  // A request is identified more than once: after its body, and while its stream is open.
  const seen = new WeakSet<FastifyRequest>();
  return async (request) => {
    const { authorization, dpop } = request.headers;
    const identified = await identify({
      authorization,
      proof: typeof dpop === "string" ? dpop : undefined,
      method: request.method,
      path: request.url.split("?")[0] as string,
      again: seen.has(request),
      isLoopback: isLoopbackPeer({ remoteAddress: request.ip }),
    });
    seen.add(request);
    return identified;
  };
}

/**
 * Checks the credential of each request to an app before its body is read, and again when a later body has arrived. A
 * client that delays the body gains nothing from a credential that ends in the meantime.
 *
 * Out: `ConsumerOf` for the app's endpoints. Refuses: as `IdentifyConsumer`. Source: decision V26.
 */
export function identifyFirst(app: FastifyInstance, consumerOf: ConsumerOf): ConsumerOf {
  const identified = new WeakMap<FastifyRequest, Identified>();
  app.addHook("onRequest", async (request) => {
    // In the next turn the parser has passed on everything that arrived in one piece with the headers.
    await Promise.resolve();
    const hasArrived = request.raw.complete;
    const consumer = await consumerOf(request);
    if (hasArrived) identified.set(request, consumer);
  });
  return async (request) => identified.get(request) ?? consumerOf(request);
}
