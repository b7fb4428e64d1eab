import type { ServerResponse } from "node:http";
import { loginRefusal } from "../errors.ts";
import { findOwnLogin, type Logins, type LoginView } from "../logins/logins.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

const HEARTBEAT_MS = 15_000;
const RECONNECT_MS = 2_000;

/**
 * Serves `GET /ds/events/:session`, the stream that tells the login page how far its login is. The name of an event is a state:
 * `pending`, `signed`, `failed` or `expired`; its data is `{"state"}`, and for `signed` also the address to go on by. The present
 * state comes first, so a reconnect needs no history; the stream ends after a final state.
 *
 * Refuses: UNKNOWN_SESSION (404), FORBIDDEN (403) without the login's cookie, TOO_MANY_STREAMS (429). Source: S2 "Events";
 * decisions L9, L13.
 */
export function mountEventsDoor(
  app: FastifyInstance,
  { logins, cookies }: { readonly logins: Logins; readonly cookies: LoginCookies },
): void {
  // An open stream would hold up the end of the server.
  const streams = new Set<ServerResponse>();
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.end();
  });
  app.get("/ds/events/:session", async (request: FastifyRequest<{ Params: { readonly session: string } }>, reply) => {
    const { session } = request.params;
    const id = logins.requestOf(session)?.id;
    if (id === undefined) throw loginRefusal("UNKNOWN_SESSION", "This code is not known, or a newer one replaced it.");
    const secret = cookies.read(request.headers.cookie, id);
    if (findOwnLogin(logins, id, secret) === undefined) {
      throw loginRefusal("FORBIDDEN", "Only the browser that started this login may follow it.");
    }
    const { raw } = reply;
    let sent = "";
    const report = (): void => {
      const state = toEventState(logins.find(secret), session);
      if (state === sent || raw.writableEnded) return;
      sent = state;
      const data = JSON.stringify(state === "signed" ? { state, next: `/login/${id}` } : { state });
      raw.write(`event: ${state}\ndata: ${data}\n\n`);
      if (state !== "pending") raw.end();
    };
    const unwatch = logins.watch(secret, report);
    if (unwatch === undefined) throw loginRefusal("TOO_MANY_STREAMS", "A login has at most three open event streams.");
    reply.hijack();
    const heartbeat = setInterval(() => raw.write(": waiting\n\n"), HEARTBEAT_MS).unref();
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
    report();
    return reply;
  });
}

/** A session that a newer one replaced, or whose login is over, counts as expired. */
function toEventState(view: LoginView | undefined, session: string): "pending" | "signed" | "failed" | "expired" {
  if (view === undefined || view.session !== session) return "expired";
  return view.state === "checking" ? "pending" : view.state;
}
