import { chown, mkdir, readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { SERVER_ROLE } from "./postgres-cluster.ts";
import type { ServerUser } from "./postgres-place.ts";

/** Where the server listens: the settings it is started with, and the address of one of its databases. */
export interface ServerAddress {
  readonly settings: Readonly<Record<string, string>>;
  readonly urlOf: (database: string) => string;
}

/** A socket's path is cut off by the system behind this many bytes. */
const SOCKET_PATH_LIMIT_BYTES = process.platform === "linux" ? 107 : 103;
const SOCKET_PORT = 5432;

/**
 * Chooses how the server is reached: a socket in a directory (0700) of its own, or, where that path is too long for the
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

/** The directory of the server's socket, in the place that holds its data. */
export function socketDirectoryOf(place: string): string {
  return join(place, "postgres-socket");
}

/** The socket in its directory; its lock file has the same name with `.lock` behind it. */
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
