import { fileURLToPath } from "node:url";
import { systemClock } from "@dataspace/service-kit/clock";
import { createGuardedFetch } from "@dataspace/service-kit/guarded-fetch";
import { systemResolveHost } from "@dataspace/service-kit/guarded-target";
import { listen } from "@dataspace/service-kit/listen";
import { createLog } from "@dataspace/service-kit/log";
import { migrate } from "@dataspace/service-kit/migrations";
import { openServiceDatabase } from "@dataspace/service-kit/service-database";
import { envToStandaloneConfig } from "./config.ts";
import { awarenessMigrations } from "./migrations.ts";
import { createFindCertifiedKeys } from "./registry-part.ts";
import { createAwarenessServer } from "./server.ts";
import { startDelivery } from "./start-delivery.ts";

/** An awareness service that listens at `url` until it is disposed of. */
export interface RunningAwareness extends AsyncDisposable {
  readonly url: string;
}

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../", import.meta.url));
const MAX_CONNECTIONS = 10;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Starts an awareness service alone: opens its storage, brings its tables up to date, delivers, listens.
 *
 * In: `env`, the settings by name; `abort` gives up waiting for the database.
 * Refuses: StartupError 78 for settings, migrations and ports, 75 for a data directory in use.
 * Source: decisions P5, P6, E5.
 */
export async function startAwareness(
  env: Readonly<Record<string, string | undefined>>,
  abort?: AbortSignal,
): Promise<RunningAwareness> {
  const config = envToStandaloneConfig(env);
  const log = createLog({ service: "awareness", level: "info", pretty: false });
  await using opened = new AsyncDisposableStack();
  const database = await openServiceDatabase(
    opened,
    { log, abort },
    {
      service: "awareness",
      databaseUrl: config.databaseUrl,
      dataDirectory: config.dataDirectory,
      production: config.production,
      checkoutDirectory: CHECKOUT_DIRECTORY,
      maxConnections: MAX_CONNECTIONS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    },
  );
  await migrate(database, awarenessMigrations);
  const clock = systemClock;
  const resolveHost = systemResolveHost;
  const guardedFetch = createGuardedFetch({ resolveHost }, { allow: config.outgoingAllow });
  const findCertifiedKeys = createFindCertifiedKeys({ fetch, guardedFetch, clock }, config);
  let listensAt = "";
  const delivering = { database, clock, log, resolveHost, monotonicMs: () => performance.now(), random: Math.random };
  const delivery = opened.use(startDelivery(delivering, config));
  const app = await createAwarenessServer(
    { database, clock, log, resolveHost, findCertifiedKeys, onStored: delivery.wake },
    {
      ...config,
      cors: { origins: "any" },
      publicUrl: () => config.publicUrl ?? listensAt,
      devConsumer: false,
    },
  );
  opened.defer(() => app.close());
  const { url } = await listen(app, { host: config.host, port: config.port, portSetting: "DS_AWARENESS_PORT" });
  listensAt = url;
  log.info({ url }, "the awareness service listens");
  const running = opened.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
