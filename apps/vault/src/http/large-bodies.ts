import { refusal } from "../errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Admits requests with large bodies, a few at a time. Refuses: BUSY (503, with Retry-After). */
export type AdmitBody = (request: FastifyRequest, reply: FastifyReply) => void;

const LARGE_BYTES = 1_048_576;
const MOST_AT_ONCE = 8;
const RETRY_AFTER_SECONDS = 1;

/**
 * Makes the admission of bodies: small ones always, of those over 1 MiB or of unknown length eight at a time, so that what is
 * held in memory for requests has a bound. A place is free again when its answer is out or its connection gone.
 *
 * Source: decision P9 (bounds).
 */
export function createAdmitBody(): AdmitBody {
  let atOnce = 0;
  return (request, reply) => {
    if (!isLarge(request)) return;
    if (atOnce >= MOST_AT_ONCE) {
      reply.header("retry-after", RETRY_AFTER_SECONDS);
      throw refusal("BUSY", `${MOST_AT_ONCE} large requests are being served; send this one again in a moment.`);
    }
    atOnce += 1;
    reply.raw.once("close", () => {
      atOnce -= 1;
    });
  };
}

function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers["content-length"];
  return length === undefined ? headers["transfer-encoding"] !== undefined : Number(length) > LARGE_BYTES;
}
