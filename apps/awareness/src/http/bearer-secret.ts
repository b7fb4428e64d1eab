import { createHash, timingSafeEqual } from "node:crypto";
import { awarenessRefusal } from "../errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Makes the hook that lets only holders of the ingest secret through, before their body is read.
 *
 * Refuses: UNAUTHENTICATED (401) for a missing, malformed or other `Authorization: Bearer`, compared in constant time.
 * Source: decision E5; RFC 6750.
 */
export function requireIngestSecret(secret: string): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const expected = digest(secret);
  return async (request, reply) => {
    const presented = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (presented !== undefined && timingSafeEqual(digest(presented), expected)) return;
    reply.header("www-authenticate", "Bearer");
    throw awarenessRefusal("UNAUTHENTICATED", "Send DS_INGEST_SECRET as Authorization: Bearer <secret>.");
  };
}

// Equal lengths for the constant-time comparison, whatever was presented.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
