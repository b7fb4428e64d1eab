import { chown, mkdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { SERVER_ROLE } from "./postgres-cluster.ts";
import type { ServerUser } from "./postgres-place.ts";

/** The address of the server: the settings it is started with, and the URL of one of its databases. */
export interface ServerAddress {
  readonly settings: Readonly<Record<string, string>>;
  readonly urlOf: (database: string) => string;
}

/** The system truncates a socket's path at this many bytes. */
const SOCKET_PATH_LIMIT_BYTES = process.platform === "linux" ? 107 : 103;
const SOCKET_PORT = 5432;

/**
 * Chooses how to reach the server: a socket in its own directory (0700), or, where that path is too long for the
 * system, a password on a free loopback port.
 *
 * Refuses: never by itself. Source: decision P4.
 */
export async function chooseAddress(config: {
  readonly place: string;
  readonly passwordFile: string;
  readonly user: ServerUser | undefined;
}): Promise<ServerAddress> {
  const directory = socketDirectoryOf(config.place);
  if (Buffer.byteLength(socketFileOf(directory)) > SOCKET_PATH_LIMIT_BYTES) {
    return loopbackAddress(await readFile(config.passwordFile, "utf8"), await findFreePort());
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (config.user !== undefined) await chown(directory, config.user.uid, config.user.gid);
  return socketAddress(directory);
}

/** The directory of the server's socket, in the place of its data. */
export function socketDirectoryOf(place: string): string {
  return join(place, "postgres-socket");
}

/** The socket in its directory; its lock file has the same name plus `.lock`. */
export function socketFileOf(directory: string): string {
  return join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

function socketAddress(directory: string): ServerAddress {
  const query = new URLSearchParams({ host: directory, user: SERVER_ROLE });
  return {
    settings: { listen_addresses: "", unix_socket_directories: directory, port: String(SOCKET_PORT) },
    urlOf: (database) => `postgresql:///${encodeURIComponent(database)}?${query}`,
  };
}

function loopbackAddress(password: string, port: number): ServerAddress {
  return {
    settings: { listen_addresses: "127.0.0.1", unix_socket_directories: "", port: String(port) },
    urlOf: (database) => `postgresql://${SERVER_ROLE}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
