import { fileURLToPath } from "node:url";
import { systemClock } from "@dataspace/service-kit/clock";
import { openDataDirectory } from "@dataspace/service-kit/data-directory";
import { type Database, openDatabase } from "@dataspace/service-kit/database";
import { listen } from "@dataspace/service-kit/listen";
import { createLog, type Log } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/migrations";
import { openStorage } from "@dataspace/service-kit/storage";
import { envToStandaloneConfig, type RegistryStorageConfig } from "./config.ts";
import { registryMigrations } from "./migrations.ts";
import { createRegistryServer } from "./server.ts";

/** A registry that listens at `url` until it is disposed of. */
export interface RunningRegistry extends AsyncDisposable {
  readonly url: string;
}

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

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
  const database = await openStorageInto(opened, { config, log, abort });
  await migrate(database, registryMigrations);
  const app = await createRegistryServer({ database, clock: systemClock, log }, config);
  opened.defer(() => app.close());
  const { url } = await listen(app, { host: config.host, port: config.port, portSetting: "DS_REGISTRY_PORT" });
  log.info({ url }, "the registry listens");
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function openStorageInto(
  opened: AsyncDisposableStack,
  given: { readonly config: RegistryStorageConfig; readonly log: Log; readonly abort: AbortSignal | undefined },
): Promise<Database> {
  const { config, log, abort } = given;
  const report = (line: string): void => log.warn(line);
  const { databaseUrl, production, dataDirectory = "" } = config;
  const directory =
    databaseUrl === undefined ? opened.use(await openDataDirectory(dataDirectory, { report })) : undefined;
  const storage = opened.use(
    await openStorage({
      databaseUrl,
      dataDirectory: directory?.path ?? "",
      checkoutDirectory: CHECKOUT_DIRECTORY,
      report,
      production,
      ...(abort === undefined ? {} : { signal: abort }),
    }),
  );
  log.info(storage.description);
  const pool = {
    url: storage.url,
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    applicationName: "dataspace-registry",
  };
  return opened.use(openDatabase(pool, (error) => log.warn({ err: error }, "an idle connection was lost")));
}
