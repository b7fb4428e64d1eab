import { randomBytes } from "node:crypto";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Secret } from "@dataspace/service-kit/secret";
import type { ClientProblems } from "./clients/client-problems.ts";
import type { Clients } from "./clients/clients.ts";
import { mountClientsApi } from "./portal/clients-api.ts";
import { createConnectionTests } from "./portal/connection-tests.ts";
import { mountPortal, type PortalConfig, type SignInDeps } from "./portal/portal.ts";
import { createPortalSessions } from "./portal/portal-sessions.ts";
import type { SignedLogin } from "./provider/account-claims.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

/** What the portal and the management API are made from. */
export interface PortalPartDeps {
  readonly clock: Clock;
  readonly clients: Pick<Clients, "manage" | "changeOnce">;
  readonly problems: ClientProblems;
  readonly signIn: Omit<SignInDeps, "sessions">;
  readonly verifyWalletToken: VerifyWalletToken;
}

/** The mounted portal. `signIn` ends a portal login: it signs its browser in. */
export interface PortalPart {
  readonly signIn: (login: SignedLogin, reply: FastifyReply) => Promise<FastifyReply>;
  readonly sweep: () => void;
}

/** How they behave. Without a portal secret one is made for this run. */
export interface PortalPartConfig extends PortalConfig {
  readonly portalSecret: Secret | undefined;
}

/** Mounts the developer portal and the management API. Refuses: never. */
export async function mountPortalPart(
  app: FastifyInstance,
  deps: PortalPartDeps,
  config: PortalPartConfig,
): Promise<PortalPart> {
  const { clock, problems, verifyWalletToken } = deps;
  const { manage, changeOnce } = deps.clients;
  const secret = config.portalSecret?.reveal() ?? randomBytes(32).toString("base64url");
  const sessions = createPortalSessions({ clock }, secret);
  const tests = createConnectionTests({ clock, fetch }, config);
  mountClientsApi(app, { manage, changeOnce, verifyWalletToken }, config);
  const signIn = await mountPortal(
    app,
    { signIn: { ...deps.signIn, sessions }, clients: { clock, manage, problems, tests } },
    config,
  );
  return {
    signIn,
    sweep: () => {
      sessions.sweep();
      tests.sweep();
    },
  };
}
