import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

/** Below this size an answer fits into the system's own buffers. */
const SMALL_BYTES = 65_536;
const SLOWEST_BYTES_PER_SECOND = 65_536;

/**
 * Cuts off connections whose peer does not read: one that takes nothing of an answer for `stalledMs`, and one that
 * takes an answer of known size more slowly than 64 KiB/s after that time. This frees the memory of the answer.
 *
 * Source: decision V25.
 */
export function cutUnreadAnswers(app: FastifyInstance, stalledMs: number): void {
  app.server.setTimeout(stalledMs);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.raw.on("timeout", cutIfUnread);
    done();
  });
  app.addHook("onSend", (...[, reply, payload, done]) => {
    const sizeBytes = typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
    if (sizeBytes > SMALL_BYTES) cutAfter(reply.raw, stalledMs + (sizeBytes / SLOWEST_BYTES_PER_SECOND) * 1000);
    done(null, payload);
  });
}

// The socket's timeout alone would also end a request whose answer is still being computed.
function cutIfUnread(this: ServerResponse): void {
  if ((this.socket?.writableLength ?? 0) > 0) this.socket?.destroy();
}

function cutAfter(response: ServerResponse, afterMs: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), afterMs);
  response.once("close", () => clearTimeout(timer));
}
