import { isLoopbackPeer } from "@dataspace/service-kit/http/cross-origin";
import type { Identified, IdentifyConsumer } from "../consumers/identify-consumer.ts";
import type { FastifyRequest } from "fastify";

/** Finds the consumer that sent a request. Refuses: as `IdentifyConsumer`. */
export type ConsumerOf = (request: FastifyRequest) => Promise<Identified>;

/** Makes that question from how consumers are told apart. Source: decision E9. */
export function createConsumerOf(identify: IdentifyConsumer): ConsumerOf {
  return (request) =>
    identify({
      authorization: request.headers.authorization,
      isLoopback: isLoopbackPeer({ remoteAddress: request.ip }),
    });
}
