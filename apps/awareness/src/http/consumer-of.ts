import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import type { Identified, IdentifyConsumer } from "../consumers/identify-consumer.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Finds the consumer that a request is of. Refuses: as `IdentifyConsumer`. */
export type ConsumerOf = (request: FastifyRequest) => Promise<Identified>;

/** Makes that question from how consumers are told apart. Source: decision E9. */
export function createConsumerOf(identify: IdentifyConsumer): ConsumerOf {
  return (request) =>
    identify({
      authorization: request.headers.authorization,
      isLoopback: isLoopbackPeer({ remoteAddress: request.ip }),
    });
}

/**
 * Checks the credential of each request to an app before its body is read, and once more when a body that came later has arrived:
 * a client that holds the body back gains nothing from a credential that ends in the meantime.
 *
 * Out: the question for the app's doors. Refuses: as `IdentifyConsumer`. Source: decision V26.
 */
export function identifyFirst(app: FastifyInstance, consumerOf: ConsumerOf): ConsumerOf {
  const identified = new WeakMap<FastifyRequest, Identified>();
  app.addHook("onRequest", async (request) => {
    // In the next turn the parser has passed on all that came in one piece with the headers.
    await Promise.resolve();
    const hasArrived = request.raw.complete;
    const consumer = await consumerOf(request);
    if (hasArrived) identified.set(request, consumer);
  });
  return async (request) => identified.get(request) ?? consumerOf(request);
}
