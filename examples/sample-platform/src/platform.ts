import { randomBytes } from "node:crypto";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { mountUi, sendPage } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import { fastifyWalletLogin } from "@dataspace/wallet-login/fastify";
import { createWalletLoginDoor } from "@dataspace/wallet-login/wallet-login-door";
import cookies from "@fastify/cookie";
import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Ui } from "@dataspace/ui/ui";
import type { WalletLogin } from "@dataspace/wallet-login/wallet-login";
import { homePage, loginPage, messagePage, refusedPage } from "./pages.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";

/** What the platform works with. */
export interface PlatformDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly login: WalletLogin;
}

/** The address under which browsers and wallets reach it. */
export interface PlatformConfig {
  readonly publicUrl: () => string;
}

const BODY_LIMIT_BYTES = 4_096;
const VISIT_SECONDS = 3_600;
const MOST_VISITS = 10_000;
const VISIT_BYTES = 32;
/** New logins of one address. Source: decision L12. */
const LOGIN_STARTS = { name: "logins", requests: 30, windowSeconds: 60 };

/**
 * Makes the platform. `/` shows a login code until a wallet has signed it; `/api/auth/offer` returns the code as JSON, for a page of your
 * own. `POST /api/auth` and `GET /deeplink-login` take the wallet's answer. A person who has logged in has a session of the platform's
 * own, in a cookie, until `POST /logout`.
 *
 * Source: S2 "Login flow", "Endpoints".
 */
export async function createPlatform(deps: PlatformDeps, config: PlatformConfig): Promise<FastifyInstance> {
  // Wallets that are web pages post from origins of their own, without cookies.
  const cors = { origins: "any" } as const;
  const server = createHttpServer({
    log: deps.log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors,
    allowedHeaders: ["content-type"],
  });
  await server.register(cookies);
  const ui = createUi();
  mountUi(server, ui);
  const door = createWalletLoginDoor(deps.login, { writePage: (page) => ui.render(messagePage(page)) });
  await server.register(fastifyWalletLogin(door));
  mountPages(server, { ...deps, ui }, config);
  return server;
}

function mountPages(
  server: FastifyInstance,
  { clock, login, ui }: PlatformDeps & { readonly ui: Ui },
  config: PlatformConfig,
): void {
  const visits = new LRUCache<string, EName>({
    max: MOST_VISITS,
    ttl: VISIT_SECONDS * 1000,
    ttlResolution: 0,
    perf: { now: clock.nowMs },
  });
  const cookie = (seconds: number) => ({
    path: "/",
    httpOnly: true,
    sameSite: "lax" as const,
    secure: config.publicUrl().startsWith("https:"),
    maxAge: seconds,
  });
  const countStart = createRateLimit(server, LOGIN_STARTS);
  const offer = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { cookie: own } = request.headers;
    if (!(await isWaiting(login, own))) await countStart(request, addressKey(request));
    const shown = await login.open(own);
    if (shown === undefined) throw tooMany("TOO_MANY_LOGINS", "Too many logins wait for a wallet now.");
    reply.header("set-cookie", shown.setCookie);
    return shown.uri;
  };

  // Who asks for a page is answered with one.
  const withPage = (handler: RouteHandlerMethod) =>
    async function answer(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return sendPage(reply.code(error.status), await ui.render(refusedPage(error.message)));
      }
    };
  server.get(
    "/",
    withPage(async (request, reply) => {
      const { visit = "" } = request.cookies;
      // Before the login is collected, which works once.
      if (await isWaiting(login, request.headers.cookie)) assertRoom(visits);
      const signer = await login.collect(request.headers.cookie);
      if (signer !== undefined) {
        const begun = randomBytes(VISIT_BYTES).toString("base64url");
        visits.set(begun, signer.ename);
        return reply.setCookie("visit", begun, cookie(VISIT_SECONDS)).redirect("/home", 303);
      }
      if (visits.has(visit)) return reply.redirect("/home", 303);
      return sendPage(reply, await ui.render(loginPage(await offer(request, reply))));
    }),
  );
  server.get("/api/auth/offer", async (request, reply) => ({ uri: await offer(request, reply) }));
  server.get("/home", async ({ cookies: { visit = "" } }, reply) => {
    const ename = visits.get(visit);
    if (ename === undefined) return reply.redirect("/", 303);
    return sendPage(reply, await ui.render(homePage(ename)));
  });
  // The form's one button: it sends nothing.
  server.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, async () => undefined);
  server.post("/logout", async ({ cookies: { visit = "" } }, reply) => {
    visits.delete(visit);
    return reply.clearCookie("visit", cookie(0)).redirect("/", 303);
  });
}

async function isWaiting(login: WalletLogin, cookies: string | undefined): Promise<boolean> {
  const state = await login.stateOf(cookies);
  return state === "pending" || state === "checking" || state === "signed";
}

// A session of somebody who has logged in is never evicted for another's.
function assertRoom(visits: LRUCache<string, EName>): void {
  if (visits.size < MOST_VISITS) return;
  visits.purgeStale();
  if (visits.size < MOST_VISITS) return;
  throw tooMany("TOO_MANY_VISITS", "Too many people are logged in now.");
}

function tooMany(code: string, message: string): Refusal {
  return new Refusal(code, `${message} Load the page again in a few minutes.`, { status: 503 });
}
