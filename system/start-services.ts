import { systemClock } from "@dataspace/service-kit/clock";
import { listenWithAdmin } from "@dataspace/service-kit/monitoring/listen-with-admin";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { openStorage, type Storage } from "@dataspace/service-kit/storage/storage";
import { recordStorage } from "@dataspace/service-kit/storage/storage-record";
import { storageSettings } from "@dataspace/service-kit/storage/storage-settings";
import { startTracing } from "@dataspace/service-kit/tracing/start-tracing";
import { traceRequests } from "@dataspace/service-kit/tracing/trace-requests";
import { readHostList } from "@dataspace/vault/vault-settings";
import type { Log } from "@dataspace/service-kit/log";
import { CHECKOUT_DIRECTORY } from "./checkout.ts";
import { completeSettings } from "./development-settings.ts";
import { RECIPES } from "./recipes.ts";
import type { Environment, LoadedService, ServiceDeps, ServiceRecipe } from "./service.ts";

/** A service that is running. */
export interface RunningService {
  readonly name: string;
  readonly purpose: string;
  readonly url: string;
  /** The address of /metrics and /readyz. */
  readonly adminUrl: string;
}

/** Where messages for people go, and the log of each service. */
export interface StartDeps {
  readonly report: (line: string) => void;
  readonly createLog: (service: string) => Log;
  readonly abort?: AbortSignal | undefined;
}

/** The services to start, and the data directory; the caller holds its lock. */
export interface StartRequest {
  readonly env: Environment;
  readonly dataDirectory: string;
  readonly deps: StartDeps;
}

type Loaded = LoadedService & { readonly recipe: ServiceRecipe };

type Opened = Pick<ServiceDeps["base"], "database"> & Pick<ServiceDeps, "databaseConfig">;

const CONNECTIONS_PER_SERVICE = 12;
const STATEMENT_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the storage and starts every service on it, one after the other; `opened` takes what is to be closed again.
 *
 * Refuses: StartupError 78 for settings, storage and ports; AbortError. Source: decisions P5, P6.
 */
export async function startServices(
  opened: AsyncDisposableStack,
  request: StartRequest,
): Promise<{
  readonly services: readonly RunningService[];
  readonly settings: Environment;
  readonly storage: Storage;
}> {
  const { env, dataDirectory, deps } = request;
  const settings = completeSettings(env, dataDirectory, RECIPES);
  const loading = loadServices();
  const storage = await openStorageInto(opened, settings, request);
  const services: RunningService[] = [];
  const loaded = await loading();
  const databases = await Promise.all(loaded.map((service) => openMigrated(opened, { service, storage, deps })));
  for (const [index, service] of loaded.entries()) {
    deps.abort?.throwIfAborted();
    const { name, purpose, urlSetting } = service.recipe;
    const { url, adminUrl } = await startService(opened, {
      service,
      settings,
      ...(databases[index] as Opened),
      deps,
    });
    if (!env[urlSetting] && !env[`${urlSetting}_FILE`]) settings[urlSetting] = url;
    services.push({ name, purpose, url, adminUrl });
  }
  deps.abort?.throwIfAborted();
  return { services, settings, storage };
}

// Started now and awaited later: the storage starts meanwhile, and its fault may come first.
function loadServices(): () => Promise<readonly Loaded[]> {
  const loading = Promise.all(RECIPES.map(async (recipe) => ({ ...(await recipe.load()), recipe })));
  loading.catch(() => undefined);
  return () => loading;
}

async function openStorageInto(
  opened: AsyncDisposableStack,
  settings: Environment,
  { dataDirectory, deps }: StartRequest,
): Promise<Storage> {
  const storage = opened.use(
    await openStorage({
      databaseUrl: readSettings({ DATABASE_URL: storageSettings.DATABASE_URL }, settings).DATABASE_URL,
      dataDirectory,
      checkoutDirectory: CHECKOUT_DIRECTORY,
      report: deps.report,
      production: false,
      signal: deps.abort,
    }),
  );
  opened.use(recordStorage(dataDirectory, storage.url));
  return storage;
}

async function openMigrated(
  opened: AsyncDisposableStack,
  given: { readonly service: Loaded; readonly storage: Storage; readonly deps: StartDeps },
): Promise<Opened> {
  const { service, storage, deps } = given;
  const { name } = service.recipe;
  const log = deps.createLog(name);
  const databaseConfig = {
    url: storage.url,
    maxConnections: CONNECTIONS_PER_SERVICE,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    applicationName: `dataspace-${name}`,
  };
  let closing = false;
  const onIdleError = (error: Error): void => {
    if (!closing) log.warn({ err: error }, "an idle connection was lost");
  };
  const database = opened.use(openDatabase(databaseConfig, onIdleError));
  // The pool's connections may outlive it by a moment, in which the storage stops.
  opened.defer(() => {
    closing = true;
  });
  for (const source of service.migrations) {
    const { skipped } = await migrate(database, source);
    for (const { name: file, reason } of skipped) deps.report(`The ${name} does without ${file}: ${reason}.`);
  }
  return { database, databaseConfig };
}

async function startService(
  opened: AsyncDisposableStack,
  given: {
    readonly service: Loaded;
    readonly settings: Environment;
    readonly deps: StartDeps;
  } & Opened,
): Promise<{ readonly url: string; readonly adminUrl: string }> {
  const { service, settings, database, databaseConfig, deps } = given;
  const log = deps.createLog(service.recipe.name);
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = storageSettings;
  const endpoint = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT }, settings).OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracer = await startTracing(opened, { endpoint, service: service.recipe.name }, log);
  const { app, host, port, afterListening } = await service.build({
    env: settings,
    base: { database, clock: systemClock, log, metrics, tracer },
    databaseConfig,
    // Every service here grants something without a credential, so no web page from elsewhere may call it.
    cors: { origins: "loopback", allowHosts: readHostList(settings["DS_DEV_ORIGINS"] ?? "") },
  });
  if (tracer !== undefined) traceRequests(app, tracer);
  const { portSetting } = service.recipe;
  const parts = { name: service.recipe.name, service: app, database, metrics, log };
  const urls = await listenWithAdmin(opened, parts, { host, port, portSetting });
  await afterListening?.();
  return urls;
}
