import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** Finds a free port on the loopback address; an issuer contains its port before its server listens. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
