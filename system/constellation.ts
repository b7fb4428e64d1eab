import { openDataDirectory } from "@dataspace/service-kit/storage/data-directory";
import type { Storage } from "@dataspace/service-kit/storage/storage";
import { findDataDirectory } from "./checkout.ts";
import type { Environment } from "./service.ts";
import type { RunningService, StartDeps } from "./start-services.ts";

/** All services, running on one storage until they are disposed of. */
export interface Constellation extends AsyncDisposable {
  readonly services: readonly RunningService[];
  readonly registryUrl: string;
  readonly vaultUrl: string;
  readonly awarenessUrl: string;
  readonly loginUrl: string;
  readonly authorityUrl: string;
  readonly sandboxUrl: string;
  readonly dataDirectory: string;
  readonly storage: Pick<Storage, "description" | "durable" | "directory">;
  /** The settings in use, including secrets: do not print them. */
  readonly settings: Environment;
}

/**
 * Starts all services in one process for development: registry, certifying authority, awareness, vault with the
 * provisioner, login connector, and sandbox. Each has its own pool of connections to one storage.
 *
 * In: settings by name; port 0 lets the system choose. Out: addresses of the form `http://127.0.0.1:<port>`.
 * Refuses: StartupError 75 for a data directory in use, before anything else; 78 for settings, storage and ports, every
 * fault of the settings at once; AbortError once `abort` fires.
 * Source: decisions P5, P6 and "The development stack".
 */
export async function startConstellation(env: Environment, deps: StartDeps): Promise<Constellation> {
  try {
    return await start(env, deps);
  } catch (error) {
    // Ctrl-C also reaches the helper processes of a start; their output is then not a fault.
    deps.abort?.throwIfAborted();
    throw error;
  }
}

async function start(env: Environment, deps: StartDeps): Promise<Constellation> {
  await using opened = new AsyncDisposableStack();
  const { path: dataDirectory } = opened.use(await openDataDirectory(findDataDirectory(env), deps));
  // Only now, so that a directory in use is reported before a second of loading.
  const { startServices } = await import("./start-services.ts");
  const { services, settings, storage } = await startServices(opened, { env, dataDirectory, deps });
  const urlOf = (name: string): string => services.find((service) => service.name === name)?.url ?? "";
  const owned = opened.move();
  return {
    services,
    registryUrl: urlOf("registry"),
    vaultUrl: urlOf("vault"),
    awarenessUrl: urlOf("awareness"),
    loginUrl: urlOf("login"),
    authorityUrl: urlOf("authority"),
    sandboxUrl: urlOf("sandbox"),
    dataDirectory,
    storage,
    settings,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
