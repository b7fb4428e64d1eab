import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { ADMIN_OFFSET } from "@dataspace/service-kit/http/listen";

const HIGHEST_PORT = 65_535;

/**
 * Finds a port of a host that is free now, with its admin port, for a service whose address must be known before it listens.
 *
 * Refuses: never by itself.
 */
export async function findFreePort(host: string): Promise<number> {
  for (;;) {
    const port = (await tryPort(host, 0)) ?? HIGHEST_PORT;
    const adminPort = port + ADMIN_OFFSET;
    if (adminPort <= HIGHEST_PORT && (await tryPort(host, adminPort)) !== undefined) return port;
  }
}

/** Takes a port and gives it back. Out: which one it was; undefined where it is in use. */
async function tryPort(host: string, wanted: number): Promise<number | undefined> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  server.once("error", () => resolve(undefined));
  server.listen(wanted, host, () => resolve((server.address() as AddressInfo).port));
  const port = await promise;
  if (port !== undefined) await new Promise((closed) => server.close(closed));
  return port;
}
