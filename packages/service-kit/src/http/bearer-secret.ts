import { isTextOf, type Secret } from "../secret.ts";
import type { Refusal } from "./refusal.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes the hook that admits only holders of a secret, before their body is read.
 *
 * Refuses: with `refuse`'s refusal, a missing, malformed or wrong `Authorization: Bearer`. Source: RFC 6750.
 */
export function requireBearerSecret(
  secret: Secret,
  refuse: () => Refusal,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    if (hasBearerSecret(request, secret)) return;
    reply.header("www-authenticate", "Bearer");
    throw refuse();
  };
}

/** Reads the bearer credential of a request; undefined where it has none. Refuses: never. Source: RFC 6750. */
export function presentedBearer({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** Checks whether a request carries a secret as `Authorization: Bearer`. Refuses: never. Source: RFC 6750. */
export function hasBearerSecret(request: Pick<FastifyRequest, "headers">, secret: Secret): boolean {
  const presented = presentedBearer(request);
  return presented !== undefined && isTextOf(secret, presented);
}
