import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { baseUrlSetting, hostSetting, portSetting } from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { storageSettings } from "@dataspace/service-kit/storage/storage-settings";

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of an example platform. */
export interface PlatformConfig {
  readonly registryUrl: string;
  readonly awarenessUrl: string;
  /** The address for browsers, wallets and webhooks. */
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
  /** Where the platform stores its data. */
  readonly directory: string;
}

const SHAPE = {
  DS_REGISTRY_URL: baseUrlSetting().default("http://127.0.0.1:4321"),
  DS_AWARENESS_URL: baseUrlSetting().default("http://127.0.0.1:4100"),
  PUBLIC_PLATFORM_URL: baseUrlSetting().optional(),
  DS_HOST: hostSetting(),
  DS_DATA_DIR: storageSettings.DS_DATA_DIR,
};

/**
 * Reads the settings of an example platform. Without DS_DATA_DIR its data are in `.dataspace` of the checkout, beside those of the
 * development stack.
 *
 * In: `name` in lower case; the port's setting is `<NAME>_PORT`, where 0 takes a free one. Refuses: StartupError 78.
 */
export async function readPlatformConfig(
  env: Environment,
  { name, defaultPort }: { readonly name: string; readonly defaultPort: number },
): Promise<PlatformConfig> {
  const settings = readSettings(SHAPE, env);
  const portName = `${name.toUpperCase()}_PORT`;
  const wanted = readSettings({ [portName]: portSetting(defaultPort) }, env)[portName] as number;
  const host = settings.DS_HOST;
  const port = await findPort(host, wanted, portName);
  const data = settings.DS_DATA_DIR ?? path.join(import.meta.dirname, "../../../.dataspace");
  return {
    registryUrl: settings.DS_REGISTRY_URL,
    awarenessUrl: settings.DS_AWARENESS_URL,
    publicUrl: settings.PUBLIC_PLATFORM_URL ?? `http://127.0.0.1:${port}`,
    host,
    port,
    directory: path.resolve(data, name),
  };
}

/** The address has to be known before anything is made of it, and a busy port is reported before anything is opened. */
async function findPort(host: string, wanted: number, setting: string): Promise<number> {
  const server = createServer();
  const { port } = await listenOn(server, { host, port: wanted, setting });
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Starts a node:http server. Refuses: StartupError 78 naming the setting when the port is not available. */
async function listenOn(
  server: Server,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<AddressInfo> {
  return new Promise((listening, failed) => {
    server.once("error", (error) =>
      failed(new StartupError(`${setting}: port ${port} is not available (${error.message}).`)),
    );
    server.listen(port, host, () => listening(server.address() as AddressInfo));
  });
}
