import { mountReference } from "@dataspace/api-reference/reference";
import { createRegistryWriter } from "@dataspace/clients/registry-writer";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { systemClock } from "@dataspace/service-kit/clock";
import { createHttpServer } from "@dataspace/service-kit/http/http-server";
import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import { countRequests } from "@dataspace/service-kit/monitoring/request-metrics";
import { assertMigrated, type MigrationSource } from "@dataspace/service-kit/postgres/migrations";
import {
  type BuiltStandalone,
  type RunningStandalone,
  type StandaloneDeps,
  startStandalone,
} from "@dataspace/service-kit/run/start-standalone";
import { mountUi } from "@dataspace/ui/mount-ui";
import { createUi } from "@dataspace/ui/ui";
import { envToProvisionerConfig, type ProvisionerServiceConfig } from "./config.ts";
import { provisionerMigrations } from "./migrations.ts";
import { createProvisionerPlugin } from "./plugin.ts";
import type { ProvisionerDeps } from "./provisioner.ts";
import { provisionerApi } from "./provisioner-api.ts";
import { resumeRegistrations } from "./registration.ts";

/**
 * What the vault provides to a standalone provisioner: its function that writes a new owner, and the migrations that
 * this needs.
 */
export interface VaultSide {
  readonly createVault: ProvisionerDeps["createVault"];
  readonly migrations: MigrationSource;
}

const BODY_LIMIT_BYTES = 1_048_576;
const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a standalone provisioner on the vault's database, and resumes unfinished registrations.
 *
 * In: `env`, the settings by name; `abort` ends the wait for the database.
 * Refuses: StartupError 78 for settings, ports and a database without the vault's tables.
 * Source: decisions P5, V17.
 */
export async function startProvisioner(
  env: Readonly<Record<string, string | undefined>>,
  vault: VaultSide,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToProvisionerConfig(env);
  const alone = {
    ...config,
    service: "provisioner",
    portSetting: "DS_PROVISIONER_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    migrations: [provisionerMigrations],
  };
  return startStandalone(alone, (parts) => build(parts, config, vault), abort);
}

async function build(
  { base: { database, log, metrics } }: StandaloneDeps,
  config: ProvisionerServiceConfig,
  vault: VaultSide,
): Promise<BuiltStandalone> {
  await assertMigrated(database, vault.migrations);
  const deps = { ...createDeps(config), database, log, createVault: vault.createVault };
  const app = createHttpServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors: { origins: "any" },
    allowedHeaders: ["Content-Type"],
    trustedProxies: config.trustedProxies,
  });
  countRequests(app, metrics);
  limitAddresses(app, { name: "address", requests: config.requestsPerAddress, windowSeconds: 60 });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.register(createProvisionerPlugin(deps, config));
  const ui = createUi();
  mountUi(app, ui);
  mountReference(app, { ui, api: provisionerApi }, { part: "provisioner" });
  return { app, afterListening: () => resumeRegistrations(deps) };
}

function createDeps(config: ProvisionerServiceConfig): Pick<ProvisionerDeps, "clock" | "registry"> {
  const { registryUrl, sharedSecret } = config;
  const keySetUrl = `${registryUrl}/.well-known/jwks.json`;
  return {
    clock: systemClock,
    registry: {
      keys: createRemoteKeySet({ fetch, clock: systemClock }, { keySetUrl }),
      ...createRegistryWriter({ fetch }, { registryUrl, sharedSecret: sharedSecret.reveal() }),
    },
  };
}
