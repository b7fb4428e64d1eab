import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { findOwnLogin, type Logins, type LoginView } from "../logins/logins.ts";
import type { SignedLogin } from "../provider/account-claims.ts";
import type { LoginEnd, OpCore } from "../provider/op-core.ts";
import type { LoginCookies } from "./login-cookie.ts";
import type { LoginPages } from "./login-pages.ts";
import { fullPage } from "./request-pages.ts";
import { sendLoginPage } from "./send-login-page.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What the login's own pages work with. */
export interface LoginDoorDeps {
  readonly logins: Logins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
  readonly core: Pick<OpCore, "end">;
  /** Whether a client asks people to confirm each login (decision L6). */
  readonly mustConfirm: (clientId: string) => Promise<boolean>;
  /** Recognises the portal's own logins by their ids, and signs their browsers in. */
  readonly portal: {
    readonly isOwn: (id: string) => boolean;
    readonly signIn: (login: SignedLogin, reply: FastifyReply) => Promise<FastifyReply>;
  };
}

type Request = FastifyRequest<{ Params: { readonly id: string } }>;

interface OwnLogin {
  readonly view: LoginView;
  readonly secret: string | undefined;
}

/**
 * Serves a login to the browser that started it.
 *
 * - `GET /login/:id` shows it, and once it is signed redirects to the client, or asks for a confirmation where the client wants one.
 * - `POST /login/:id/continue` is that confirmation.
 * - `GET /login/:id/state` answers its state.
 * - `POST /login/:id/renew` shows a new code.
 * - `POST /login/:id/cancel` returns to the client with `access_denied`.
 *
 * Another browser gets a page that says where to go. Refuses: with pages. Source: S2 "States and transitions"; decisions L2, L4, L6, L13.
 */
export function mountLoginDoor(app: FastifyInstance, deps: LoginDoorDeps): void {
  const { pages } = deps;
  app.register((scope, _options, done) => {
    // The forms of a login page send nothing.
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, async () => undefined);
    answerWithPages(scope, pages);
    mountRoutes(scope, deps);
    done();
  });
}

/** A browser shows what a refusal says as a page. */
function answerWithPages(scope: FastifyInstance, pages: LoginPages): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const answer = errorToAnswer(error);
    const { status, body } = answer;
    if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, "the request failed");
    const words = { status, title: "failedTitle", message: { text: body.error.message } } as const;
    return sendLoginPage(refuseWith(reply, answer), await pages.message(words, request.headers));
  });
}

function mountRoutes(app: FastifyInstance, deps: LoginDoorDeps): void {
  const { logins, cookies, pages, mustConfirm } = deps;
  const findOwn = ({ params, headers }: Request): OwnLogin | undefined => {
    const secret = cookies.read(headers.cookie, params.id);
    const view = findOwnLogin(logins, params.id, secret);
    return view && { view, secret };
  };

  app.get("/login/:id", async (request: Request, reply) => {
    const own = findOwn(request);
    if (own === undefined) return sendLoginPage(reply, await goneOrElsewhere(deps, request));
    const isDone = own.view.state === "signed" && !(await mustConfirm(own.view.request.clientId));
    if (isDone) return finish(deps, { request, reply }, own.secret);
    return sendLoginPage(reply, await pages.login(own.view, request.headers));
  });

  app.post("/login/:id/continue", async (request: Request, reply) => {
    const own = findOwn(request);
    if (own === undefined) return sendLoginPage(reply, await goneOrElsewhere(deps, request));
    if (own.view.state !== "signed") return reply.redirect(`/login/${own.view.request.id}`, 303);
    return finish(deps, { request, reply }, own.secret);
  });

  app.get("/login/:id/state", async (request: Request, reply) => {
    const state = findOwn(request)?.view.state ?? "over";
    return reply.header("cache-control", "no-store").send({ state });
  });

  app.post("/login/:id/renew", async (request: Request, reply) => {
    logins.renew(findOwn(request)?.secret);
    return reply.redirect(`/login/${encodeURIComponent(request.params.id)}`, 303);
  });

  app.post("/login/:id/cancel", async (request: Request, reply) => {
    if (!logins.cancel(findOwn(request)?.secret)) return sendLoginPage(reply, await goneOrElsewhere(deps, request));
    return end(deps, { request, reply }, { error: "access_denied", description: "the login was cancelled" });
  });
}

interface Exchange {
  readonly request: Request;
  readonly reply: FastifyReply;
}

/** Takes the signed login, which one request can, and ends it. */
async function finish(deps: LoginDoorDeps, exchange: Exchange, secret: string | undefined): Promise<FastifyReply> {
  const signed = deps.logins.take(secret);
  if (signed !== undefined) return end(deps, exchange, { signed });
  return sendLoginPage(exchange.reply, await deps.pages.message(OVER, exchange.request.headers));
}

async function end(deps: LoginDoorDeps, { request, reply }: Exchange, how: LoginEnd): Promise<FastifyReply> {
  const { core, cookies, pages, portal } = deps;
  const { id } = request.params;
  if (portal.isOwn(id))
    return "signed" in how ? portal.signIn(how.signed, reply) : reply.redirect("/portal/login", 303);
  const ended = await core.end(id, how);
  if ("fault" in ended) {
    const { headers } = request;
    const page = ended.fault === "full" ? fullPage(pages, headers) : pages.message(OVER, headers);
    return sendLoginPage(reply, await page);
  }
  const secret = cookies.read(request.headers.cookie, id) ?? "";
  const headers = { "set-cookie": cookies.retire(id, secret), "referrer-policy": "no-referrer" };
  reply.hijack();
  await ended.redirect({ request: request.raw, response: reply.raw, headers });
  return reply;
}

const OVER = { status: 404, title: "overTitle", message: "over" } as const;
const OTHER_BROWSER = { status: 403, title: "otherBrowserTitle", message: "otherBrowser" } as const;

/** A browser that has the login's cookie finds its login over; one that has not is another browser. */
function goneOrElsewhere({ pages, cookies }: LoginDoorDeps, { params, headers }: Request) {
  return pages.message(cookies.read(headers.cookie, params.id) === undefined ? OTHER_BROWSER : OVER, headers);
}
