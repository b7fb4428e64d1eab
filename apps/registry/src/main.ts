import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { type RunningStandalone, startStandalone } from "@dataspace/service-kit/run/start-standalone";
import { envToStandaloneConfig } from "./config.ts";
import { registryMigrations } from "./migrations.ts";
import { createRegistryServer } from "./server.ts";

const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a standalone registry: opens its storage, makes its tables ready, listens.
 *
 * In: `env`, the settings by name; `abort` ends the wait for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6.
 */
export async function startRegistry(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToStandaloneConfig(env);
  const alone = {
    ...config,
    service: "registry",
    portSetting: "DS_REGISTRY_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    migrations: [registryMigrations],
  };
  return startStandalone(
    alone,
    async ({ base, listensAt }) => {
      const guardedFetch = createGuardedFetch({ resolveHost: createHostResolver() }, { allow: config.outgoingAllow });
      const deps = { ...base, guardedFetch };
      return { app: await createRegistryServer(deps, { ...config, publicUrl: () => config.publicUrl ?? listensAt() }) };
    },
    abort,
  );
}
