import { randomBytes } from "node:crypto";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { mountUi, sendPage } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import cookies from "@fastify/cookie";
import { LRUCache } from "lru-cache";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import { LOGIN_SECONDS, type Logins, type WalletAnswer } from "./logins.ts";
import { homePage, loginPage, refusedPage } from "./pages.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";

/** The dependencies of the platform. */
export interface PlatformDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly logins: Logins;
}

/** Its name, and its address for browsers and wallets. */
export interface PlatformConfig {
  readonly name: string;
  readonly publicUrl: () => string;
}

const BODY_LIMIT_BYTES = 4_096;
const VISIT_SECONDS = 3_600;
const MOST_VISITS = 10_000;
const VISIT_BYTES = 32;
/** New logins from one address. Source: decision L12. */
const LOGIN_STARTS = { name: "logins", requests: 30, windowSeconds: 60 };

/**
 * Makes the platform. `/` shows a login code until a wallet has signed it; `/api/auth/offer` returns the code for a
 * custom page. `POST /api/auth` accepts the wallet's answer. A logged-in person has a platform session in a cookie,
 * until `POST /logout`.
 *
 * Source: S2 "Login flow", "Endpoints".
 */
export async function createPlatform(deps: PlatformDeps, config: PlatformConfig): Promise<FastifyInstance> {
  // Wallets that are web pages post from their own origins, without cookies.
  const cors = { origins: "any" } as const;
  const server = createHttpServer({
    log: deps.log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors,
    allowedHeaders: ["content-type"],
  });
  await server.register(cookies);
  mountWalletAnswer(server, deps.logins);
  mountPages(server, deps, config);
  return server;
}

function mountWalletAnswer(server: FastifyInstance, logins: Logins): void {
  server.post("/api/auth", async (request) => {
    await logins.answer(readAnswer(request.body));
    return { success: true };
  });
}

function mountPages(server: FastifyInstance, { clock, logins }: PlatformDeps, config: PlatformConfig): void {
  const ui = createUi();
  mountUi(server, ui);
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
    const secret = request.cookies["login"];
    if (!logins.isWaiting(secret)) await countStart(request, addressKey(request));
    const { session, keep } = logins.open(secret);
    reply.setCookie("login", keep, cookie(LOGIN_SECONDS));
    return makeAuthUri({ redirect: `${config.publicUrl()}/api/auth`, session, platform: config.name });
  };

  // A request for a page is answered with a page.
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
      const { login, visit = "" } = request.cookies;
      // Before the login is collected, which works once.
      if (logins.isWaiting(login)) assertRoom(visits);
      const signer = logins.collect(login);
      if (signer !== undefined) {
        const begun = randomBytes(VISIT_BYTES).toString("base64url");
        visits.set(begun, signer);
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
  // The form's only button: it sends nothing.
  server.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, async () => undefined);
  server.post("/logout", async ({ cookies: { visit = "" } }, reply) => {
    visits.delete(visit);
    return reply.clearCookie("visit", cookie(0)).redirect("/", 303);
  });
  // Where a wallet on the same phone leads instead of posting.
  server.get(
    "/deeplink-login",
    withPage(async (request, reply) => {
      await logins.answer(readAnswer(request.query));
      return reply.redirect("/", 303);
    }),
  );
}

// A person's session is never evicted for another's.
function assertRoom(visits: LRUCache<string, EName>): void {
  if (visits.size < MOST_VISITS) return;
  visits.purgeStale();
  if (visits.size < MOST_VISITS) return;
  throw new Refusal("TOO_MANY_VISITS", "Too many people are logged in now. Load the page again later.", {
    status: 503,
  });
}

function readAnswer(said: unknown): WalletAnswer {
  const { ename, session, signature } = (said ?? {}) as Readonly<Record<string, unknown>>;
  try {
    if (typeof ename === "string" && typeof session === "string" && typeof signature === "string") {
      return { ename: parseEName(ename), session, signature };
    }
  } catch {
    // An answer without a valid eName is refused.
  }
  throw new Refusal("BAD_REQUEST", "Send ename, session and signature, each as text.", { status: 400 });
}
