import { hostname } from "node:os";
import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { takeInstanceLock } from "@dataspace/service-kit/postgres/instance-lock";
import { assertMigrated } from "@dataspace/service-kit/postgres/migrations";
import { type RunningStandalone, startStandalone } from "@dataspace/service-kit/run/start-standalone";
import { envToStandaloneConfig } from "./config.ts";
import { loginMigrations } from "./migrations.ts";
import { createRegistryPart } from "./registry-part.ts";
import { createLoginServer } from "./server.ts";

const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a standalone login connector. Its migrations must have been applied (`dataspace login migrate`), and no other
 * instance may run on its database.
 *
 * In: `env`, the settings by name; `abort` ends the wait for the database.
 * Refuses: StartupError 78 for settings, pending migrations and ports; 75 for a second instance or a data directory in
 * use.
 * Source: S2 "Operation"; decisions P5, P6.
 */
export async function startLogin(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToStandaloneConfig(env);
  const alone = {
    ...config,
    service: "login",
    portSetting: "DS_OIDC_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // They are checked in development too (S2 "Operation"), so they are not applied here.
    migrations: [],
  };
  return startStandalone(
    alone,
    async ({ base, databaseConfig, opened }) => {
      await assertMigrated(base.database, loginMigrations);
      const onLost = (error: Error): void => {
        throw new Error("the connection that keeps this the only login connector is lost", { cause: error });
      };
      opened.use(
        await takeInstanceLock(
          { service: "login", instance: `pid ${process.pid} on ${hostname()}` },
          databaseConfig,
          onLost,
        ),
      );
      for (const name of ["DS_OIDC_SIGNING_KEY_JWK", "DS_OIDC_PORTAL_SECRET"] as const) {
        const isMissing =
          name === "DS_OIDC_SIGNING_KEY_JWK" ? config.signingKeys === undefined : config.portalSecret === undefined;
        if (isMissing) base.log.warn(`${name} is not set: a key made for this run is used, and a restart changes it`);
      }
      const guardedFetch = createGuardedFetch({ resolveHost: createHostResolver() }, { allow: config.outgoingAllow });
      const registryPart = createRegistryPart({ fetch, guardedFetch, ...base }, config);
      const serverConfig = { ...config, sandboxUrl: () => undefined };
      return {
        app: await createLoginServer({ ...base, ...registryPart }, serverConfig),
      };
    },
    abort,
  );
}
