import { fileURLToPath } from "node:url";
import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/listen";
import { createLog } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/migrations";
import { openServiceDatabase } from "@dataspace/service-kit/service-database";
import { envToStandaloneConfig } from "./config.ts";
import { registryMigrations } from "./migrations.ts";
import { createRegistryServer } from "./server.ts";

/** A registry that listens at `url` until it is disposed of. */
export interface RunningRegistry extends AsyncDisposable {
  readonly url: string;
}

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts a registry alone: opens its storage, brings its tables up to date, listens.
 *
 * In: `env`, the settings by name; `abort` gives up waiting for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6.
 */
export async function startRegistry(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningRegistry> {
  const config = envToStandaloneConfig(env);
  const log = createLog({ service: "registry", level: "info", pretty: false });
  await using opened = new AsyncDisposableStack();
  const database = await openServiceDatabase(
    opened,
    { log, abort },
    {
      service: "registry",
      databaseUrl: config.databaseUrl,
      dataDirectory: config.dataDirectory,
      production: config.production,
      checkoutDirectory: CHECKOUT_DIRECTORY,
      maxConnections: MAX_CONNECTIONS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    },
  );
  await migrate(database, registryMigrations);
  const app = await createRegistryServer({ database, clock: systemClock, log }, config);
  opened.defer(() => app.close());
  const { url } = await listen(app, { host: config.host, port: config.port, portSetting: "DS_REGISTRY_PORT" });
  log.info({ url }, "the registry listens");
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
