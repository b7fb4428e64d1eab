import { randomBytes } from "node:crypto";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { mountUi, sendPage } from "@dataspace/ui/mount-ui";
import { createUi, type Ui } from "@dataspace/ui/ui";
import cookies from "@fastify/cookie";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Page } from "@dataspace/ui/page";
import { type ClientReading, readClientInput } from "../clients/client-input.ts";
import type { ClientRows, LoginClient } from "../clients/client-rows.ts";
import { makeClientId, makeClientSecret } from "../clients/client-secret.ts";
import { readLogo } from "../clients/read-logo.ts";
import { loginRefusal } from "../errors.ts";
import type { LoginCookies } from "../http/login-cookie.ts";
import type { LoginPages } from "../http/login-pages.ts";
import { sendLoginPage } from "../http/send-login-page.ts";
import { findOwnLogin, type Logins } from "../logins/logins.ts";
import type { SignedLogin } from "../provider/account-claims.ts";
import { acceptPortalForms, assertOwnForm, formOf, textOf } from "./portal-form.ts";
import {
  type ClientDraft,
  clientPage,
  EMPTY_DRAFT,
  listPage,
  newClientPage,
  portalFaultPage,
  secretPage,
} from "./portal-pages.ts";
import type { PortalSession, PortalSessions } from "./portal-sessions.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What the portal works with. */
export interface PortalDeps {
  readonly clock: Clock;
  readonly clients: ClientRows;
  readonly sessions: PortalSessions;
  readonly logins: Logins;
  readonly cookies: LoginCookies;
  readonly pages: LoginPages;
}

/** What the portal is told. */
export interface PortalConfig {
  readonly issuer: string;
  readonly clientsPerHour: number;
  /** Counts a login that an address starts. Refuses: RATE_LIMITED. */
  readonly countStart: (request: FastifyRequest) => Promise<void>;
}

/** The portal's own logins are told apart from those of clients by their ids. */
export const PORTAL_LOGIN = "portal-";

const SESSION_SECONDS = 28_800;
/** How long the secret before a rotation stays valid. */
const OVERLAP_MS = 86_400_000;

type ClientRequest = FastifyRequest<{ Params: { readonly id: string } }>;

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
  const { sessions } = deps;
  const ui = createUi();
  mountUi(app, ui);
  const cookie = createSessionCookie(config.issuer);
  await app.register(cookies);
  await app.register((scope, _options, done) => {
    acceptPortalForms(scope);
    scope.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 429) reply.header("retry-after", "3600");
      const page = portalFaultPage(sessions.find(cookie.read(request)), "That did not work", error.message);
      return sendPage(reply.code(error.status), await ui.render(page));
    });
    mountSignIn(scope, deps, { ...config, cookie });
    mountClients(scope, deps, { ...config, cookie, ui });
    done();
  });
  return async ({ ename }, reply) => {
    const value = sessions.begin(ename);
    if (value === undefined)
      throw loginRefusal("LOGINS_FULL", "Too many developers are signed in. Try again in a minute.");
    // A page and no redirect: after a deep link the chain began on another site, and SameSite=Strict would withhold the cookie.
    return reply
      .header("set-cookie", cookie.write(value))
      .header("cache-control", "no-store")
      .header("content-security-policy", "default-src 'none'")
      .type("text/html; charset=utf-8")
      .send(
        `<!doctype html><html lang="en"><title>Signed in</title><meta http-equiv="refresh" content="0; url=/portal"><a href="/portal">Continue to the portal</a></html>`,
      );
  };
}

interface SessionCookie {
  readonly read: (request: FastifyRequest) => string | undefined;
  readonly write: (value: string) => string;
  readonly clear: () => string;
}

function createSessionCookie(issuer: string): SessionCookie {
  const isSecure = issuer.startsWith("https:");
  const name = isSecure ? "__Host-ds_portal" : "ds_portal";
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    // A request that is refused on its headers has no cookies yet.
    read: ({ cookies }: { readonly cookies: FastifyRequest["cookies"] | null }) => cookies?.[name],
    write: (value) => `${name}=${value}; Max-Age=${SESSION_SECONDS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function mountSignIn(
  scope: FastifyInstance,
  deps: PortalDeps,
  { cookie, countStart }: Pick<PortalConfig, "countStart"> & { readonly cookie: SessionCookie },
): void {
  const { sessions, logins, pages } = deps;
  scope.get("/portal/login", { onRequest: countStart }, async (request, reply) => {
    if (sessions.find(cookie.read(request)) !== undefined) return reply.redirect("/portal", 303);
    const id = `${PORTAL_LOGIN}${randomBytes(16).toString("base64url")}`;
    const secret = logins.open({ id, clientId: "", redirectUri: "", uiLocales: undefined });
    const view = findOwnLogin(logins, id, secret);
    if (secret === undefined || view === undefined) {
      throw loginRefusal("LOGINS_FULL", "Too many logins are open at the moment. Try again in a minute.");
    }
    reply.header("set-cookie", deps.cookies.write(id, secret)).header("cross-origin-opener-policy", "same-origin");
    return sendLoginPage(reply, await pages.login(view, request.headers));
  });
}

function mountClients(
  scope: FastifyInstance,
  { clock, clients, sessions }: PortalDeps,
  config: PortalConfig & { readonly cookie: SessionCookie; readonly ui: Ui },
): void {
  const { cookie, issuer, ui } = config;
  const show = async (reply: FastifyReply, page: Page, status = 200) =>
    sendPage(reply.code(status), await ui.render(page));
  const signedIn = (request: FastifyRequest): PortalSession | undefined => sessions.find(cookie.read(request));
  const toSignIn = (reply: FastifyReply) => reply.redirect("/portal/login", 303);
  const own = async (session: PortalSession, request: ClientRequest): Promise<LoginClient> => {
    const client = await clients.find(request.params.id);
    if (client?.owner !== session.ename) throw loginRefusal("UNKNOWN_CLIENT", "You have no client with this id.");
    return client;
  };
  /** Refuses: FORBIDDEN for a form of another page; leads to the sign-in without a session. */
  const onForm = (
    url: string,
    act: (session: PortalSession, request: ClientRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    scope.post(url, async (request: ClientRequest, reply) => {
      const session = signedIn(request);
      if (session === undefined) return toSignIn(reply);
      assertOwnForm(request, session, issuer);
      return act(session, request, reply);
    });
  const onPage = (url: string, write: (session: PortalSession, request: ClientRequest) => Promise<Page>) =>
    scope.get(url, async (request: ClientRequest, reply) => {
      const session = signedIn(request);
      return session === undefined ? toSignIn(reply) : show(reply, await write(session, request));
    });

  onPage("/portal", async (session) => listPage(session, await clients.listOf(session.ename), clock.nowMs()));
  onPage("/portal/clients/new", async (session) => newClientPage(session, EMPTY_DRAFT));
  onPage("/portal/clients/:id", async (session, request) => {
    const client = await own(session, request);
    return clientPage(session, client, { issuer, draft: toDraft(client), nowMs: clock.nowMs() });
  });
  onForm("/portal/clients", async (session, request, reply) => {
    const { draft, reading, logo } = await readForm(formOf(request));
    if (!("input" in reading)) return show(reply, newClientPage(session, draft), 400);
    const made = makeClientSecret();
    const client = {
      ...reading.input,
      clientId: makeClientId(),
      owner: session.ename,
      secretHash: made.secretHash,
      logo,
    };
    const limit = { perHour: config.clientsPerHour, at: new Date(clock.nowMs()).toISOString() };
    if (!(await clients.add(client, limit))) {
      throw loginRefusal("RATE_LIMITED", `You may create ${config.clientsPerHour} clients an hour. Try again later.`);
    }
    return show(reply, secretPage(session, client, made.secret), 201);
  });
  onForm("/portal/clients/:id", async (session, request, reply) => {
    const client = await own(session, request);
    const { draft, reading, logo } = await readForm(formOf(request));
    if (!("input" in reading))
      return show(reply, clientPage(session, client, { issuer, draft, nowMs: clock.nowMs() }), 400);
    await clients.change(session.ename, client.clientId, { ...reading.input, ...(logo === undefined ? {} : { logo }) });
    return reply.redirect(`/portal/clients/${client.clientId}`, 303);
  });
  onForm("/portal/clients/:id/rotate", async (session, request, reply) => {
    const client = await own(session, request);
    const { secret, secretHash } = makeClientSecret();
    await clients.rotateSecret(session.ename, client.clientId, {
      secretHash,
      previousEndsAt: new Date(clock.nowMs() + OVERLAP_MS).toISOString(),
    });
    return show(reply, secretPage(session, client, secret));
  });
  onForm("/portal/clients/:id/delete", async (session, request, reply) => {
    const client = await own(session, request);
    if (textOf(formOf(request), "confirmation").trim() !== client.name) {
      const deleteFault = "Type the client's name as it stands above.";
      return show(
        reply,
        clientPage(session, client, { issuer, draft: toDraft(client), nowMs: clock.nowMs(), deleteFault }),
        400,
      );
    }
    await clients.remove(session.ename, client.clientId);
    return reply.redirect("/portal", 303);
  });
  onForm("/portal/logout", async (_session, request, reply) => {
    sessions.end(cookie.read(request));
    return reply.header("set-cookie", cookie.clear()).redirect("/portal/login", 303);
  });
}

interface ReadForm {
  readonly draft: ClientDraft;
  readonly reading: ClientReading;
  readonly logo: Uint8Array | undefined;
}

async function readForm(form: FormData): Promise<ReadForm> {
  const given = {
    name: textOf(form, "name"),
    redirectUris: textOf(form, "redirect_uris") || textOf(form, "redirect_uri"),
    requireEmail: form.get("require_email") !== null,
    confirmLogin: form.get("confirm_login") !== null,
  };
  const reading = readClientInput(given);
  const faults = "faults" in reading ? reading.faults : {};
  const file = form.get("logo");
  if (!(file instanceof File) || file.size === 0) return { draft: { ...given, faults }, reading, logo: undefined };
  try {
    const logo = await readLogo(new Uint8Array(await file.arrayBuffer()));
    return { draft: { ...given, faults }, reading, logo };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const withLogo = { ...faults, logo: error.message };
    return { draft: { ...given, faults: withLogo }, reading: { faults: withLogo }, logo: undefined };
  }
}

function toDraft({ name, redirectUris, requireEmail, confirmLogin }: LoginClient): ClientDraft {
  return { name, redirectUris: redirectUris.join("\n"), requireEmail, confirmLogin, faults: {} };
}
