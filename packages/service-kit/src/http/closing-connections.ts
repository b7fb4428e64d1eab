import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const CLOSE_EVERY_MS = 50;
/** A stopping service ends within 10 s; the rest is for what it closes after its server. */
const LONGEST_WAIT_MS = 8_000;

/**
 * Bounds how long a server waits for its connections when it closes. A connection without an open request is closed within 50 ms, also
 * one whose answer goes out meanwhile, and one whose client got an answer but never finishes the body. After 8 s the rest is cut off.
 *
 * Source: decision P5.
 */
export function closeConnectionsInTime(app: FastifyInstance): void {
  const answeredEarly = new Set<Socket>();
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.socket.destroyed) {
      const forget = () => answeredEarly.delete(raw.socket);
      answeredEarly.add(raw.socket);
      raw.once("end", forget);
      raw.socket.once("close", forget);
    }
    done();
  });
  app.addHook("preClose", (done) => {
    const closeIdle = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of answeredEarly) socket.destroySoon();
    }, CLOSE_EVERY_MS).unref();
    const closeAll = setTimeout(() => app.server.closeAllConnections(), LONGEST_WAIT_MS).unref();
    app.server.once("close", () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
    done();
  });
}
