import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { type RunningStandalone, startStandalone } from "@dataspace/service-kit/run/start-standalone";
import { envToStandaloneConfig } from "./config.ts";
import { authorityMigrations } from "./migrations.ts";
import { createRegistryPart } from "./registry-part.ts";
import { createAuthorityServer } from "./server.ts";

const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a certifying authority alone: opens its storage, brings its tables up to date, listens.
 *
 * In: `env`, the settings by name; `abort` gives up waiting for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use. Source: decisions P5, P6.
 */
export async function startAuthority(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToStandaloneConfig(env);
  const standalone = {
    ...config,
    service: "authority",
    portSetting: "DS_AUTHORITY_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    migrations: [authorityMigrations],
  };
  return startStandalone(
    standalone,
    async ({ base }) => {
      const resolveHost = createHostResolver();
      const guardedFetch = createGuardedFetch({ resolveHost }, { allow: config.outgoingAllow });
      const serverConfig = { ...config, sandboxUrl: () => undefined };
      const registry = createRegistryPart({ fetch, guardedFetch, clock: base.clock }, config);
      return {
        app: await createAuthorityServer({ ...base, registry }, serverConfig),
      };
    },
    abort,
  );
}
