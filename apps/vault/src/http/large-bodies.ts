import { refusal } from "../errors.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Admits requests with large bodies, a few at a time. Refuses: BUSY (503, with Retry-After). */
export type AdmitBody = (request: FastifyRequest, reply: FastifyReply) => void;

const LARGE_BYTES = 1_048_576;
const MOST_AT_ONCE = 8;
// A body that is parsed, checked and written is in memory about fifteen times: as bytes, text, values and statements.
const MOST_BYTES_AT_ONCE = 32 * 1_048_576;
const RETRY_AFTER_SECONDS = 1;

/**
 * Makes the admission of bodies: small ones always, of those over 1 MiB or of unknown length eight at a time and 32 MiB
 * together, so that what is held in memory for requests has a bound. A place is free again when its answer is out or its
 * connection gone.
 *
 * In: `request.maxBodyBytes`, which a body of unknown length is counted as. Source: decision P9 (bounds).
 */
export function createAdmitBody(): AdmitBody {
  let atOnce = 0;
  let bytesAtOnce = 0;
  return (request, reply) => {
    const bytes = bodyBytes(request);
    if (bytes <= LARGE_BYTES) return;
    if (atOnce >= MOST_AT_ONCE || bytesAtOnce + bytes > MOST_BYTES_AT_ONCE) {
      reply.header("retry-after", RETRY_AFTER_SECONDS);
      throw refusal("BUSY", "As many large requests as fit are being served; send this one again in a moment.");
    }
    atOnce += 1;
    bytesAtOnce += bytes;
    reply.raw.once("close", () => {
      atOnce -= 1;
      bytesAtOnce -= bytes;
    });
  };
}

function bodyBytes({ headers, maxBodyBytes }: FastifyRequest): number {
  const length = headers["content-length"];
  if (length !== undefined) return Math.min(Number(length), maxBodyBytes);
  return headers["transfer-encoding"] === undefined ? 0 : maxBodyBytes;
}
