import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { addReadinessCheck } from "@dataspace/service-kit/monitoring/readiness";
import {
  type BuiltStandalone,
  type RunningStandalone,
  type StandaloneDeps,
  startStandalone,
} from "@dataspace/service-kit/run/start-standalone";
import { type AwarenessServiceConfig, envToStandaloneConfig } from "./config.ts";
import { awarenessMigrations } from "./migrations.ts";
import { createPlatformPart } from "./platform-part.ts";
import { createRegistryPart } from "./registry-part.ts";
import { createAwarenessServer } from "./server.ts";
import { startDelivery } from "./start-delivery.ts";

const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a standalone awareness service: opens its storage, makes its tables ready, delivers, listens.
 *
 * In: `env`, the settings by name; `abort` ends the wait for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6, E5.
 */
export async function startAwareness(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToStandaloneConfig(env);
  const alone = {
    ...config,
    service: "awareness",
    portSetting: "DS_AWARENESS_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    migrations: [awarenessMigrations],
  };
  return startStandalone(alone, (parts) => build(parts, config), abort);
}

async function build(
  { base, opened, listensAt }: StandaloneDeps,
  config: AwarenessServiceConfig,
): Promise<BuiltStandalone> {
  const resolveHost = createHostResolver();
  const guardedFetch = createGuardedFetch({ resolveHost }, { allow: config.outgoingAllow });
  const registry = createRegistryPart({ fetch, guardedFetch, clock: base.clock }, config);
  const platforms = createPlatformPart({ ...base, ...registry, guardedFetch }, config.handshakes);
  const { hearing } = platforms;
  const times = { monotonicMs: () => performance.now(), random: Math.random };
  const delivery = opened.use(startDelivery({ base, resolveHost, hearing, ...times }, config));
  const app = await createAwarenessServer(
    { base, resolveHost, registry, platforms, onStored: delivery.wake },
    {
      ...config,
      cors: { origins: "any" },
      publicUrl: () => config.publicUrl ?? listensAt(),
      devConsumer: false,
    },
  );
  addReadinessCheck(app, delivery.findFault);
  return { app };
}
