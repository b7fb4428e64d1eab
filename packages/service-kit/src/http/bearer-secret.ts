import { isTextOf, type Secret } from "../secret.ts";
import type { Refusal } from "./refusal.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes the hook that lets only holders of a secret through, before their body is read.
 *
 * Refuses: with `refuse`'s refusal, a missing, malformed or other `Authorization: Bearer`. Source: RFC 6750.
 */
export function requireBearerSecret(
  secret: Secret,
  refuse: () => Refusal,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (presented !== undefined && isTextOf(secret, presented)) return;
    reply.header("www-authenticate", "Bearer");
    throw refuse();
  };
}
