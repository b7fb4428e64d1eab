import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** Finds a port of a host that is free now, for a service whose address must be known before it listens. Refuses: never by itself. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
