import { randomBytes } from "node:crypto";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Secret } from "@dataspace/service-kit/secret";
import { createChangeOnce } from "./clients/change-once.ts";
import type { ClientProblems } from "./clients/client-problems.ts";
import { type ClientRows, createClientRows } from "./clients/client-rows.ts";
import { type ClientAct, createManageClients } from "./clients/manage-clients.ts";
import { mountClientsApi } from "./portal/clients-api.ts";
import { createConnectionTests } from "./portal/connection-tests.ts";
import { mountPortal, type PortalConfig, type SignInDeps } from "./portal/portal.ts";
import { createPortalSessions } from "./portal/portal-sessions.ts";
import type { SignedLogin } from "./provider/account-claims.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/** What the portal and the management API are made from. */
export interface PortalPartDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly rows: ClientRows;
  readonly problems: ClientProblems;
  readonly signIn: Omit<SignInDeps, "sessions">;
  readonly verifyWalletToken: VerifyWalletToken;
  readonly onAct: (act: ClientAct) => void;
}

/** How they behave. Without a portal secret one is made for this run. */
export interface PortalPartConfig extends PortalConfig {
  readonly portalSecret: Secret | undefined;
  readonly clientsPerHour: number;
}

/** Mounts the developer portal and the management API. Out: what signs a browser in after a portal login. Refuses: never. */
export async function mountPortalPart(
  app: FastifyInstance,
  deps: PortalPartDeps,
  config: PortalPartConfig,
): Promise<(login: SignedLogin, reply: FastifyReply) => Promise<FastifyReply>> {
  const { clock, database, rows, problems, onAct, verifyWalletToken } = deps;
  const secret = config.portalSecret?.reveal() ?? randomBytes(32).toString("base64url");
  const sessions = createPortalSessions({ clock }, secret);
  const manage = createManageClients({ clock, rows, onAct }, config);
  const tests = createConnectionTests({ clock, fetch }, config);
  const changeOnce = createChangeOnce({
    database,
    onAct,
    manageOn: (on, report) => createManageClients({ clock, rows: createClientRows(on), onAct: report }, config),
  });
  mountClientsApi(app, { manage, changeOnce, verifyWalletToken }, config);
  return mountPortal(
    app,
    { signIn: { ...deps.signIn, sessions }, clients: { clock, manage, problems, tests } },
    config,
  );
}
