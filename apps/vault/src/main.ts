import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { createHandshakes } from "@dataspace/platform-auth/http/handshakes";
import {
  type BuiltStandalone,
  type RunningStandalone,
  type StandaloneDeps,
  startStandalone,
} from "@dataspace/service-kit/run/start-standalone";
import { assertReadable } from "./assert-readable.ts";
import { createAwarenessPart } from "./awareness-part.ts";
import { envToStandaloneConfig, type VaultServiceConfig } from "./config.ts";
import { vaultHandshakes } from "./handshake-service.ts";
import { vaultMigrations } from "./migrations.ts";
import { openBlobStore } from "./open-blob-store.ts";
import { createRegistryPart } from "./registry-part.ts";
import { createVaultServer } from "./server.ts";

const MAX_CONNECTIONS = 12;
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * Starts a standalone vault: opens its storage, makes its tables ready, listens.
 *
 * In: `env`, the settings by name; `abort` ends the wait for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6.
 */
export async function startVault(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningStandalone> {
  const config = envToStandaloneConfig(env);
  const alone = {
    ...config,
    service: "vault",
    portSetting: "DS_VAULT_PORT",
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    migrations: [vaultMigrations],
    directories: config.files.kind === "directory" ? [config.files.path] : [],
  };
  return startStandalone(alone, (parts) => build(parts, config), abort);
}

async function build(
  { base, databaseConfig, listensAt }: StandaloneDeps,
  config: VaultServiceConfig,
): Promise<BuiltStandalone> {
  const { database, clock, log } = base;
  await assertReadable(database);
  const guardedFetch = createGuardedFetch({ resolveHost: createHostResolver() }, { allow: config.outgoingAllow });
  const registry = createRegistryPart({ fetch, guardedFetch, clock }, config);
  const asked = { guardedFetch, registryKeys: { verify: registry.verifySignature } };
  const known = { ...asked, findCertifiedKeys: registry.findCertifiedKeys };
  const handshakes = createHandshakes({ ...base, ...known }, vaultHandshakes, config.handshakes);
  const blobs = await openBlobStore(config.files, log);
  const awareness = createAwarenessPart({ ...base, databaseConfig }, config.awareness);
  const app = createVaultServer(
    { base, blobs, registry, handshakes, awareness },
    { ...config, publicUrl: () => config.publicUrl ?? listensAt() },
  );
  if (config.auth === "header") log.warn("DS_VAULT_AUTH=header: whoever sends X-ENAME is taken for that owner");
  if (config.awareness === undefined) log.warn("DS_AWARENESS_URL is not set: events wait in the outbox");
  return { app };
}
