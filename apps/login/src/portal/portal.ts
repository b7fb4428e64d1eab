import { randomBytes } from "node:crypto";
import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { mountUi, sendPage } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import { loginRefusal } from "../errors.ts";
import type { LoginCookies } from "../http/login-cookie.ts";
import type { LoginPages } from "../http/login-pages.ts";
import { sendLoginPage } from "../http/send-login-page.ts";
import { findOwnLogin, type Logins } from "../logins/logins.ts";
import type { SignedLogin } from "../provider/account-claims.ts";
import { apiPage } from "./api-page.ts";
import { type ClientDoorsDeps, mountClientDoors } from "./client-doors.ts";
import { acceptPortalForms, assertOwnForm, assertOwnSite } from "./portal-form.ts";
import { portalFaultPage } from "./portal-frame.ts";
import type { PortalSessions } from "./portal-sessions.ts";
import { PORTAL_TEXTS } from "./portal-texts.ts";
import { createSessionCookie, type SessionCookie } from "./session-cookie.ts";
import { mountStart } from "./start-door.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What the portal's sign-in works with. */
export interface SignInDeps {
  readonly sessions: PortalSessions;
  readonly logins: Logins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
}

/** What the portal works with. */
export interface PortalDeps {
  readonly signIn: SignInDeps;
  readonly clients: Omit<ClientDoorsDeps, "ui" | "signedIn">;
}

/** How the portal behaves. */
export interface PortalConfig {
  readonly issuer: string;
  /** Counts a login that an address starts. Refuses: RATE_LIMITED. */
  readonly countStart: (request: FastifyRequest) => Promise<void>;
}

/** The ids of the portal's own logins begin with it. */
export const PORTAL_LOGIN = "portal-";

const FULL_SECONDS = 60;

/**
 * Serves the developer portal: sign-in by wallet, and the clients of the signed-in eName. It works as plain HTML forms.
 *
 * Out: what ends a portal login: it signs its browser in. Refuses: with pages. Source: S2 "Endpoints"; decision L11.
 */
export async function mountPortal(
  app: FastifyInstance,
  deps: PortalDeps,
  config: PortalConfig,
): Promise<(login: SignedLogin, reply: FastifyReply) => Promise<FastifyReply>> {
  const { sessions } = deps.signIn;
  const ui = createUi();
  mountUi(app, ui);
  mountStart(app, ui);
  const cookie = createSessionCookie(config.issuer);
  const signedIn = (request: FastifyRequest) => sessions.find(cookie.read(request));
  await app.register((scope, _options, done) => {
    acceptPortalForms(scope);
    scope.setErrorHandler(async (error, request, reply) => {
      const answer = errorToAnswer(error);
      if (answer.status >= 500)
        request.log.error({ err: error, route: request.routeOptions.url }, "the request failed");
      const page = portalFaultPage(signedIn(request), PORTAL_TEXTS.refused, answer.body.error.message);
      return sendPage(refuseWith(reply, answer), await ui.render(page));
    });
    mountSignIn(scope, deps, { ...config, cookie });
    scope.get("/portal/api", async (_request, reply) => sendPage(reply, await ui.render(apiPage(config.issuer))));
    mountClientDoors(scope, { ...deps.clients, ui, signedIn }, config);
    done();
  });
  return async ({ ename }, reply) => {
    const value = sessions.begin(ename);
    if (value === undefined) throw loginRefusal("LOGINS_FULL", PORTAL_TEXTS.tooManyDevelopers, FULL_SECONDS);
    return sendToPortal(reply.header("set-cookie", cookie.write(value)));
  };
}

/** A page and no redirect: after a deep link the chain began on another site, and SameSite=Strict would withhold the cookie. */
function sendToPortal(reply: FastifyReply): FastifyReply {
  return reply
    .header("cache-control", "no-store")
    .header("content-security-policy", "default-src 'none'")
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><title>${PORTAL_TEXTS.signedIn}</title><meta http-equiv="refresh" content="0; url=/portal"><a href="/portal">${PORTAL_TEXTS.continue}</a></html>`,
    );
}

function mountSignIn(
  scope: FastifyInstance,
  { signIn: { sessions, logins, cookies: loginCookies, pages }, clients: { tests } }: PortalDeps,
  { cookie, countStart, issuer }: PortalConfig & { readonly cookie: SessionCookie },
): void {
  scope.get("/portal/login", { onRequest: countStart }, async (request, reply) => {
    if (sessions.find(cookie.read(request)) !== undefined) return reply.redirect("/portal", 303);
    const id = `${PORTAL_LOGIN}${randomBytes(16).toString("base64url")}`;
    const secret = logins.open({ id, clientId: "", redirectUri: "", uiLocales: undefined });
    const view = findOwnLogin(logins, id, secret);
    if (secret === undefined || view === undefined) {
      throw loginRefusal("LOGINS_FULL", PORTAL_TEXTS.tooManyLogins, FULL_SECONDS);
    }
    reply.header("set-cookie", loginCookies.write(id, secret)).header("cross-origin-opener-policy", "same-origin");
    return sendLoginPage(reply, await pages.login(view, request.headers));
  });
  scope.post("/portal/logout", async (request, reply) => {
    // Also without a session: a form of another site comes without the cookie, and the answer would still remove it.
    assertOwnSite(request, issuer);
    const session = sessions.find(cookie.read(request));
    if (session !== undefined) {
      assertOwnForm(request, session, issuer);
      tests.end(session);
      sessions.end(cookie.read(request));
    }
    return reply.header("set-cookie", cookie.clear()).redirect("/portal/login", 303);
  });
}
