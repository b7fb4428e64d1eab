import type { ServerResponse } from "node:http";
import { loginRefusal } from "../errors.ts";
import type { LoginView, PendingLogins } from "../logins/pending-logins.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;

/**
 * Serves `GET /ds/events/:session`, the stream that reports the state of a login to its page. Each event is named by
 * its state: `pending`, `signed`, `failed` or `expired`. Its data is `{"state"}`, and for `signed` also the address
 * where the page continues. The current state comes first, so a reconnect needs no history; the stream ends after a
 * final state.
 *
 * Refuses: UNKNOWN_SESSION (404), FORBIDDEN (403) without the login's cookie, TOO_MANY_STREAMS (429). Source: S2
 * "Events"; decisions L9, L13.
 */
export function mountEventsDoor(
  app: FastifyInstance,
  { logins, cookies }: { readonly logins: PendingLogins; readonly cookies: LoginCookies },
): void {
  // An open stream would delay the end of the server.
  const streams = new Set<ServerResponse>();
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.end();
  });
  app.get("/ds/events/:session", async (request: FastifyRequest<{ Params: { readonly session: string } }>, reply) => {
    const { session } = request.params;
    const id = logins.idOf(session);
    if (id === undefined) throw loginRefusal("UNKNOWN_SESSION", "This code is not known, or a newer one replaced it.");
    const secret = cookies.read(request.headers.cookie, id);
    if (logins.find(id, secret) === undefined) {
      throw loginRefusal("FORBIDDEN", "Only the browser that started this login may follow it.");
    }
    const { raw } = reply;
    let said = "";
    const say = (): void => {
      const word = wordOf(logins.find(id, secret), session);
      if (word === said || raw.writableEnded) return;
      said = word;
      const data = JSON.stringify(word === "signed" ? { state: word, next: `/login/${id}` } : { state: word });
      raw.write(`event: ${word}\ndata: ${data}\n\n`);
      if (word !== "pending") raw.end();
    };
    const unwatch = logins.watch(id, say);
    reply.hijack();
    const heartbeat = setInterval(() => raw.write(": still here\n\n"), HEARTBEAT_MS).unref();
    streams.add(raw);
    raw.on("close", () => {
      streams.delete(raw);
      clearInterval(heartbeat);
      unwatch();
    });
    raw.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    raw.write(`retry: ${RECONNECT_MS}\n\n`);
    say();
    return reply;
  });
}

/** A session that was replaced, or whose login is over, is reported as expired. */
function wordOf(view: LoginView | undefined, session: string): "pending" | "signed" | "failed" | "expired" {
  if (view === undefined || view.session !== session) return "expired";
  return view.state === "checking" ? "pending" : view.state;
}
