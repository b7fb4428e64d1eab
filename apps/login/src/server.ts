import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { addressKey, createRateLimit, limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { sweepWhileServing } from "@dataspace/service-kit/run/sweep-while-serving";
import { createPendingLogins } from "@dataspace/wallet-login/pending-logins";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { ServiceBase } from "@dataspace/service-kit/run/service-base";
import { type AuditLog, createAuditLog } from "./audit-log.ts";
import { spentDeveloperTokens } from "./clients/change-once.ts";
import { type ClientProblems, createClientProblems } from "./clients/client-problems.ts";
import { type Clients, createClients } from "./clients/clients.ts";
import type { ClientAct } from "./clients/manage-clients.ts";
import type { LoginConfig } from "./config.ts";
import { mountAssets } from "./http/assets-door.ts";
import { mountEventsDoor } from "./http/events-door.ts";
import { createLoginCookies } from "./http/login-cookie.ts";
import { mountLoginDoor } from "./http/login-door.ts";
import { createLoginPages } from "./http/login-pages.ts";
import { mountProtocolDoor } from "./http/protocol-door.ts";
import { createRequestPages, type RequestPages } from "./http/request-pages.ts";
import { type LoginResult, mountWalletDoor } from "./http/wallet-door.ts";
import { createLoginMetrics, type LoginMetrics } from "./login-metrics.ts";
import type { CheckLogin } from "./logins/check-login.ts";
import type { Logins } from "./logins/logins.ts";
import { PORTAL_LOGIN } from "./portal/portal.ts";
import { mountPortalPart } from "./portal-part.ts";
import { createOpCore, type OpCore } from "./provider/op-core.ts";
import { AUTHORIZATION_REQUEST_SECONDS } from "./provider/provider-configuration.ts";
import { makeSigningKeySet } from "./provider/signing-key-set.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The dependencies of the connector. The database's migrations have run. */
export interface LoginDeps extends Omit<ServiceBase, "tracer"> {
  readonly check: CheckLogin;
  readonly verifyWalletToken: VerifyWalletToken;
}

/** Its configuration. `sandboxUrl` is set only in the development stack. */
export type LoginServerConfig = Pick<
  LoginConfig,
  "issuer" | "platformName" | "lifetimes" | "limits" | "signingKeys" | "portalSecret" | "trustedProxies"
> & {
  readonly sandboxUrl: () => string | undefined;
};

const BODY_LIMIT_BYTES = 16_384;
/** Waiting pages see within this time that their code is too old. */
const LOGINS_SWEEP_MS = 1_000;
const STORES_SWEEP_MS = 10_000;
const STORE_USES_MS = 1_000;
/** A client's tokens outlive a login, so each kind of value may be more numerous than the logins that wait. */
const ENTRIES_PER_PENDING_LOGIN = 8;
const LEAST_ENTRIES = 20;
const HSTS = "max-age=31536000";
const BUSY = { status: 429, title: "fullTitle", message: "full" } as const;
/** A login whose code expired or failed keeps its page for this long, so that a new code can be asked for in place. */
const RENEWABLE_SECONDS = 600;

/**
 * Makes the login connector: an OpenID Connect provider whose only login step is a wallet's signature.
 *
 * Out: a server that neither listens nor migrates. Refuses: never by itself. Source: S2; decisions L1 to L13.
 */
export async function createLoginServer(deps: LoginDeps, config: LoginServerConfig): Promise<FastifyInstance> {
  const { clock, log, database } = deps;
  const { issuer, lifetimes, limits } = config;
  const app = createHttpServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors: { origins: "any" },
    allowedHeaders: ["Content-Type", "Authorization"],
    trustedProxies: config.trustedProxies,
  });
  countRequests(app, deps.metrics);
  if (issuer.startsWith("https:")) sendHsts(app);
  limitAddresses(app, { name: "address", requests: limits.perAddress, windowSeconds: 60 });
  const logins: Logins = createPendingLogins(
    { clock },
    {
      most: limits.pendingLogins,
      sessionSeconds: lifetimes.session,
      renewableSeconds: RENEWABLE_SECONDS,
      longestSeconds: AUTHORIZATION_REQUEST_SECONDS,
    },
  );
  const cookies = createLoginCookies({ issuer, seconds: AUTHORIZATION_REQUEST_SECONDS });
  const metrics = createLoginMetrics(deps.metrics, { logins: logins.size, stores: () => core.sizes() });
  const audit = createAuditLog(log);
  const onAct = (act: ClientAct): void => {
    metrics.changedClient(act);
    audit.changedClient(act);
  };
  const clients = createClients({ clock, log, database, onAct }, limits);
  const pages = createLoginPages(
    { findShownClient: clients.find },
    { issuer, label: config.platformName, sandboxUrl: config.sandboxUrl },
  );
  const problems = createClientProblems({ clock });
  const core = createProtocol(deps, config, {
    clients,
    problems,
    metrics,
    audit,
    pages: createRequestPages({ logins, cookies, pages, forget: (id) => core.forget(id) }),
  });
  const countStarts = createRateLimit(app, {
    name: "login-starts",
    requests: limits.startsPerMinute,
    windowSeconds: 60,
  });
  const countStart = (request: FastifyRequest) => countStarts(request, addressKey(request));

  app.get("/healthz", async () => ({ status: "ok" }));
  mountAssets(app, { findLogo: clients.findLogo });
  mountProtocolDoor(app, { core, countStart, showBusy: (headers) => pages.message(BUSY, headers) });
  const onOutcome = (result: LoginResult): void => {
    metrics.answered(result);
    audit.answered(result);
  };
  mountWalletDoor(app, { logins, cookies, pages, check: deps.check, onOutcome });
  mountEventsDoor(app, { logins, cookies });
  const { verifyWalletToken } = deps;
  const portal = await mountPortalPart(
    app,
    { clock, clients, problems, signIn: { logins, cookies, pages }, verifyWalletToken },
    { issuer, countStart, portalSecret: config.portalSecret },
  );
  mountLoginDoor(app, {
    logins,
    cookies,
    pages,
    core,
    mustConfirm: async (clientId) => (await clients.find(clientId))?.confirmLogin ?? false,
    portal: { isOwn: (id) => id.startsWith(PORTAL_LOGIN), signIn: portal.signIn },
  });
  sweepWhileServing(app, log, [
    { what: "spent wallet tokens", sweep: () => spentDeveloperTokens.sweep(database, clock.nowMs()) },
  ]);
  repeatWhileOpen(app, LOGINS_SWEEP_MS, () => {
    for (const { id } of logins.sweep()) void core.forget(id);
  });
  repeatWhileOpen(app, STORES_SWEEP_MS, () => {
    core.sweep();
    clients.sweep();
    portal.sweep();
  });
  repeatWhileOpen(app, STORE_USES_MS, () => void clients.storeUses());
  app.addHook("onClose", clients.storeUses);
  return app;
}

/** Written to the raw response, since the protocol library answers there. Source: RFC 6797. */
function sendHsts(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.raw.setHeader("strict-transport-security", HSTS);
  });
}

interface ProtocolParts {
  readonly clients: Clients;
  readonly problems: ClientProblems;
  readonly metrics: LoginMetrics;
  readonly audit: AuditLog;
  readonly pages: RequestPages;
}

function createProtocol(
  { clock }: LoginDeps,
  config: LoginServerConfig,
  { clients, problems, metrics, audit, pages }: ProtocolParts,
): OpCore {
  const { issuer, lifetimes } = config;
  return createOpCore(
    {
      clock,
      findClient: clients.find,
      showLogin: (request, { headers }) => pages.login(request, headers),
      showError: (error, { headers }) => pages.error(error, headers),
      onProblem: (clientId, problem) => {
        metrics.refused(problem.error);
        // The client did nothing wrong when a person cancels.
        if (problem.error !== "access_denied") problems.note(clientId, problem);
      },
      onExchange: (clientId) => {
        metrics.exchanged();
        audit.exchanged(clientId);
        problems.clear(clientId);
        clients.noteUse(clientId);
      },
    },
    {
      issuer,
      lifetimes,
      signingKeys: config.signingKeys ?? makeSigningKeySet(),
      mostEntries: Math.max(LEAST_ENTRIES, config.limits.pendingLogins * ENTRIES_PER_PENDING_LOGIN),
    },
  );
}

function repeatWhileOpen(app: FastifyInstance, everyMs: number, act: () => void): void {
  const timer = setInterval(act, everyMs).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
