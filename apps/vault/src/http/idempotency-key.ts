import { refusal } from "../errors.ts";
import type { FastifyRequest } from "fastify";

const KEY = /^[\x20-\x7e]{1,128}$/;

/**
 * Reads a request's Idempotency-Key.
 *
 * Refuses: BAD_REQUEST for a header sent twice, or anything but 1 to 128 printable ASCII characters. Source: decision V20.
 */
export function readIdempotencyKey(request: FastifyRequest): string {
  const [key = "", ...more] = request.raw.headersDistinct["idempotency-key"] ?? [];
  if (more.length === 0 && KEY.test(key)) return key;
  const message = "The header Idempotency-Key is 1 to 128 printable ASCII characters, such as a UUID, sent once.";
  throw refusal("BAD_REQUEST", message, "Idempotency-Key");
}
