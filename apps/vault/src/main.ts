import { fileURLToPath } from "node:url";
import { systemClock } from "@dataspace/service-kit/clock";
import { createGuardedFetch } from "@dataspace/service-kit/guarded-fetch";
import { systemResolveHost } from "@dataspace/service-kit/guarded-target";
import { listen } from "@dataspace/service-kit/listen";
import { createLog } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/migrations";
import { openServiceDatabase } from "@dataspace/service-kit/service-database";
import { readSettings } from "@dataspace/service-kit/settings";
import { z } from "zod";
import { assertReadable } from "./assert-readable.ts";
import { envToVaultConfig, findMissingVaultSettings, vaultSettings } from "./config.ts";
import { vaultMigrations } from "./migrations.ts";
import { openBlobStore } from "./open-blob-store.ts";
import { createRegistryPart } from "./registry-part.ts";
import { createVaultServer } from "./server.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A vault that listens at `url` until it is disposed of. */
export interface RunningVault extends AsyncDisposable {
  readonly url: string;
}

interface StorageSettings {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string | undefined;
  readonly production: boolean;
}

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAX_CONNECTIONS = 12;
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * Starts a vault alone: opens its storage, brings its tables up to date, listens.
 *
 * In: `env`, the settings by name; `abort` gives up waiting for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6.
 */
export async function startVault(env: Environment, abort?: AbortSignal): Promise<RunningVault> {
  const storage = readStorageSettings(env);
  const config = envToVaultConfig(env);
  const log = createLog({ service: "vault", level: "info", pretty: false });
  await using opened = new AsyncDisposableStack();
  const database = await openServiceDatabase(
    opened,
    { log, abort },
    {
      service: "vault",
      ...storage,
      checkoutDirectory: CHECKOUT_DIRECTORY,
      maxConnections: MAX_CONNECTIONS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    },
  );
  const { skipped } = await migrate(database, vaultMigrations);
  await assertReadable(database);
  for (const { name, reason } of skipped) log.warn({ migration: name, reason }, "an accelerator is not available");
  const guardedFetch = createGuardedFetch({ resolveHost: systemResolveHost }, { allow: config.outgoingAllow });
  const registry = createRegistryPart({ fetch, guardedFetch, clock: systemClock }, config);
  const blobs = await openBlobStore(config.files, log);
  let listensAt = "";
  const app = createVaultServer(
    { database, clock: systemClock, log, blobs, registry, fetch },
    { ...config, publicUrl: () => config.publicUrl ?? listensAt },
  );
  opened.defer(() => app.close());
  if (config.auth === "header") log.warn("DS_VAULT_AUTH=header: whoever sends X-ENAME is taken for that owner");
  if (config.awareness === undefined)
    log.warn("DS_AWARENESS_URL is not set: events wait and nobody is told of changes");
  const { url } = await listen(app, { host: config.host, port: config.port, portSetting: "DS_VAULT_PORT" });
  listensAt = url;
  log.info({ url }, "the vault listens");
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

// Together with all the vault's own settings, so that every fault is told at once.
function readStorageSettings(env: Environment): StorageSettings {
  const shape = { ...vaultSettings, DATABASE_URL: z.string().optional() };
  const names = ["DATABASE_URL", "DATABASE_URL_FILE", "DS_DATA_DIR", "DS_DATA_DIR_FILE"];
  const missing = names.some((name) => env[name])
    ? []
    : ["DATABASE_URL: is required, but it is not set; or set DS_DATA_DIR for an embedded PostgreSQL of this service"];
  const { DATABASE_URL, DS_DATA_DIR, NODE_ENV } = readSettings(shape, env, [
    ...missing,
    ...findMissingVaultSettings(env),
  ]);
  return { databaseUrl: DATABASE_URL, dataDirectory: DS_DATA_DIR, production: NODE_ENV === "production" };
}
