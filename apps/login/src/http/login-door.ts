import type { PendingLogins } from "../logins/pending-logins.ts";
import type { SignedLogin } from "../provider/account-claims.ts";
import type { LoginEnd, OpCore } from "../provider/op-core.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { LoginPages } from "./login-pages.ts";
import { sendLoginPage } from "./send-login-page.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The dependencies of the login's own pages. */
export interface LoginDoorDeps {
  readonly logins: PendingLogins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
  readonly core: Pick<OpCore, "end">;
  /** Recognises the portal's own logins by their ids, and signs their browsers in. */
  readonly portal: {
    readonly isOwn: (id: string) => boolean;
    readonly signIn: (login: SignedLogin, reply: FastifyReply) => Promise<FastifyReply>;
  };
}

type Request = FastifyRequest<{ Params: { readonly id: string } }>;

/**
 * Serves a login to the browser that started it. `GET /login/:id` shows it, and once it is signed redirects to the
 * client. `GET /login/:id/state` returns its state. `POST /login/:id/renew` shows a new code. `POST /login/:id/cancel`
 * returns to the client with `access_denied`. Another browser gets a page that explains where to go.
 *
 * Refuses: with pages. Source: S2 "States and transitions"; decisions L2, L4, L13.
 */
export function mountLoginDoor(app: FastifyInstance, deps: LoginDoorDeps): void {
  const { logins, cookies, pages } = deps;
  const secretOf = ({ params, headers }: Request): string | undefined => cookies.read(headers.cookie, params.id);

  app.get("/login/:id", async (request: Request, reply) => {
    const { id } = request.params;
    const secret = secretOf(request);
    const view = logins.find(id, secret);
    if (view === undefined) return sendLoginPage(reply, await gone(deps, request, secret));
    const signed = view.state === "signed" ? logins.take(id, secret) : undefined;
    if (signed !== undefined) return end(deps, { request, reply }, { signed });
    return sendLoginPage(reply, await pages.login(view, request.headers));
  });

  app.get("/login/:id/state", async (request: Request, reply) => {
    const state = logins.find(request.params.id, secretOf(request))?.state ?? "over";
    return reply.header("cache-control", "no-store").send({ state });
  });

  app.post("/login/:id/renew", async (request: Request, reply) => {
    logins.renew(request.params.id, secretOf(request));
    return reply.redirect(`/login/${encodeURIComponent(request.params.id)}`, 303);
  });

  app.post("/login/:id/cancel", async (request: Request, reply) => {
    const secret = secretOf(request);
    if (!logins.cancel(request.params.id, secret)) return sendLoginPage(reply, await gone(deps, request, secret));
    return end(deps, { request, reply }, { error: "access_denied", description: "the login was cancelled" });
  });
}

async function end(
  deps: LoginDoorDeps,
  { request, reply }: { readonly request: Request; readonly reply: FastifyReply },
  how: LoginEnd,
) {
  const { core, cookies, pages, portal } = deps;
  const { id } = request.params;
  if (portal.isOwn(id))
    return "signed" in how ? portal.signIn(how.signed, reply) : reply.redirect("/portal/login", 303);
  const headers = { "set-cookie": cookies.clear(id), "referrer-policy": "no-referrer" };
  reply.hijack();
  if (await core.end(id, how, { request: request.raw, response: reply.raw, headers })) return reply;
  const { status, headers: pageHeaders, body } = await pages.message(OVER, request.headers);
  reply.raw.writeHead(status, pageHeaders as Record<string, string>).end(body);
  return reply;
}

const OVER = { status: 404, title: "overTitle", message: "over" } as const;

/** Without the login's cookie it is another browser; with it the login is over. */
function gone({ pages }: LoginDoorDeps, request: Request, secret: string | undefined) {
  const other = { status: 403, title: "otherBrowserTitle", message: "otherBrowser" } as const;
  return pages.message(secret === undefined ? other : OVER, request.headers);
}
