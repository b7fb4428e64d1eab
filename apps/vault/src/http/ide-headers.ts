import type { FastifyReply } from "fastify";

/** Sets the headers of the IDE's files. Refuses: never. */
export function setIdeHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-resource-policy", "same-origin")
    .header("cache-control", "no-cache");
}
