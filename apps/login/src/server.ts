import { randomBytes } from "node:crypto";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Metrics } from "@dataspace/service-kit/monitoring/metrics";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { createAuditLog } from "./audit-log.ts";
import { createClientRows } from "./clients/client-rows.ts";
import type { LoginConfig } from "./config.ts";
import { mountAssets } from "./http/assets-door.ts";
import { mountEventsDoor } from "./http/events-door.ts";
import { createLoginCookies } from "./http/login-cookie.ts";
import { mountLoginDoor } from "./http/login-door.ts";
import { createLoginPages } from "./http/login-pages.ts";
import { mountProtocolDoor } from "./http/protocol-door.ts";
import { createRequestPages } from "./http/request-pages.ts";
import { mountWalletDoor } from "./http/wallet-door.ts";
import { createPendingLogins } from "./logins/pending-logins.ts";
import type { CheckWalletAnswer } from "./logins/wallet-check.ts";
import { mountPortal, PORTAL_LOGIN } from "./portal/portal.ts";
import { createPortalSessions } from "./portal/portal-sessions.ts";
import { createOpCore } from "./provider/op-core.ts";
import { AUTHORIZATION_REQUEST_SECONDS } from "./provider/provider-configuration.ts";
import { makeSigningKeySet } from "./provider/signing-key-set.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What the connector works with. The database's migrations have run. */
export interface LoginDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly check: CheckWalletAnswer;
}

/** How it behaves. `sandboxUrl` is there in the development stack alone. */
export type LoginServerConfig = Pick<
  LoginConfig,
  "issuer" | "platformName" | "lifetimes" | "limits" | "signingKeys" | "portalSecret" | "trustedProxies"
> & {
  readonly sandboxUrl: () => string | undefined;
};

const BODY_LIMIT_BYTES = 16_384;
const SWEEP_MS = 1_000;
const HSTS = "max-age=31536000";

/**
 * Makes the login connector: an OpenID Connect provider whose only login step is a wallet's signature.
 *
 * Out: a server that neither listens nor migrates. Refuses: never by itself. Source: S2; decisions L1 to L13.
 */
export async function createLoginServer(deps: LoginDeps, config: LoginServerConfig): Promise<FastifyInstance> {
  const { clock, log, database, metrics } = deps;
  const { issuer, lifetimes, limits } = config;
  const app = createHttpServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors: { origins: "any" },
    allowedHeaders: ["Content-Type"],
    trustedProxies: config.trustedProxies,
  });
  countRequests(app, metrics);
  if (issuer.startsWith("https:")) sendHsts(app);
  const audit = createAuditLog(log);
  const clients = createClientRows(database);
  const logins = createPendingLogins({ clock }, { most: limits.pendingLogins, sessionSeconds: lifetimes.session });
  const cookies = createLoginCookies({ issuer, seconds: AUTHORIZATION_REQUEST_SECONDS });
  const pages = createLoginPages(
    { findShownClient: clients.find },
    { issuer, label: config.platformName, sandboxUrl: config.sandboxUrl },
  );
  const pagesOfRequests = createRequestPages({ logins, cookies, pages, forget: (id) => core.forget(id) });
  const core = createOpCore(
    {
      clock,
      findClient: clients.find,
      showLogin: (request, { headers }) => {
        audit.started(request);
        return pagesOfRequests.login(request, headers);
      },
      showError: (error, { headers }) => pagesOfRequests.error(error, headers),
      onExchange: (clientId) => {
        audit.exchanged(clientId);
        clients.noteUse(clientId, new Date(clock.nowMs()).toISOString()).catch((error: unknown) => {
          log.warn({ err: error }, "the time of a client's last use could not be stored");
        });
      },
    },
    { issuer, lifetimes, signingKeys: config.signingKeys ?? makeSigningKeySet() },
  );
  measureTables(metrics, () => ({ PendingLogin: logins.size(), ...core.sizes() }));
  const outcomes = metrics.addCounter({
    name: "login_answers_total",
    help: "Wallets' answers by outcome.",
    labels: ["outcome"],
  });
  const countStarts = createRateLimit(app, {
    name: "login-starts",
    requests: limits.startsPerMinute,
    windowSeconds: 60,
  });
  const countStart = (request: FastifyRequest) => countStarts(request, addressKey(request));

  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/", async (_request, reply) => reply.redirect("/portal", 302));
  mountAssets(app, { findLogo: clients.findLogo });
  mountProtocolDoor(app, { core, countStart });
  const check: CheckWalletAnswer = async (answer) => {
    const outcome = await deps.check(answer);
    audit.answered(logins.idOf(answer.session), outcome);
    return outcome;
  };
  mountWalletDoor(app, { logins, cookies, pages, check, onOutcome: (outcome) => outcomes({ outcome }) });
  mountEventsDoor(app, { logins, cookies });
  const sessions = createPortalSessions(
    { clock },
    config.portalSecret?.reveal() ?? randomBytes(32).toString("base64url"),
  );
  const portalDeps = { clock, clients, sessions, logins, cookies, pages };
  const signIn = await mountPortal(app, portalDeps, { issuer, clientsPerHour: limits.clientsPerHour, countStart });
  const portal = { isOwn: (id: string) => id.startsWith(PORTAL_LOGIN), signIn };
  await app.register((scope, _options, done) => {
    // The forms of a login page send nothing.
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, async () => undefined);
    const end: typeof core.end = (id, how, exchange) => {
      audit.ended(id, how);
      return core.end(id, how, exchange);
    };
    mountLoginDoor(scope, { logins, cookies, pages, core: { end }, portal });
    done();
  });
  sweepWhileOpen(app, () => {
    for (const id of logins.sweep()) void core.forget(id);
    core.sweep();
  });
  return app;
}

/** Written to the raw response, since the protocol library answers there. Source: RFC 6797. */
function sendHsts(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.raw.setHeader("strict-transport-security", HSTS);
  });
}

function measureTables(metrics: Metrics, sizes: () => Readonly<Record<string, number>>): void {
  metrics.addFigures(
    {
      login_pending_logins: "Logins that wait for a wallet or for their browser.",
      login_requests: "Authorization requests in memory.",
      login_codes: "Authorization codes in memory.",
      login_access_tokens: "Access tokens in memory.",
      login_grants: "Grants in memory.",
      login_signed_people: "Claims in memory, for userinfo.",
    },
    async () => {
      const { PendingLogin = 0, Interaction = 0, AuthorizationCode = 0, AccessToken = 0, ...others } = sizes();
      return {
        login_pending_logins: PendingLogin,
        login_requests: Interaction,
        login_codes: AuthorizationCode,
        login_access_tokens: AccessToken,
        login_grants: others["Grant"] ?? 0,
        login_signed_people: others["SignedLogin"] ?? 0,
      };
    },
  );
}

function sweepWhileOpen(app: FastifyInstance, sweep: () => void): void {
  const timer = setInterval(sweep, SWEEP_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
