import type { AddressInfo } from "node:net";
import { StartupError } from "../startup-error.ts";
import type { FastifyInstance } from "fastify";

/** Where an app listens. */
export interface ListenConfig {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** The name of the port's setting, for the message when the port is not available. */
  readonly portSetting: string;
}

/** The distance between a service's port and its admin port. Source: decision P6. */
export const ADMIN_OFFSET = 10_000;

/**
 * Starts listening.
 *
 * Out: the port, and the address to print: `http://127.0.0.1:<port>` wherever the loopback address answers.
 * Refuses: StartupError (78) naming the setting when the port is busy or forbidden, or naming DS_HOST when that address
 * is not this machine's. Source: decision P6.
 */
export async function listen(
  app: Pick<FastifyInstance, "listen" | "server">,
  config: ListenConfig,
): Promise<{ readonly url: string; readonly port: number }> {
  const host = config.host === "localhost" ? "127.0.0.1" : config.host;
  return listenAt(app, { ...config, host, name: "port" });
}

/**
 * Makes the server of a service's admin port listen: 10000 above the service's port, 0 with 0, on this machine's
 * loopback only.
 *
 * In: where the service listens. Refuses: as `listen`. Source: decision P6.
 */
export async function listenAdmin(
  app: Pick<FastifyInstance, "listen" | "server">,
  { port, portSetting }: ListenConfig,
): Promise<{ readonly url: string; readonly port: number }> {
  const adminPort = port === 0 ? 0 : port + ADMIN_OFFSET;
  const name = `the admin port (${ADMIN_OFFSET} above)`;
  return listenAt(app, { host: "127.0.0.1", port: adminPort, portSetting, name });
}

/** The exact address, and the port's name in a message. */
interface Place extends ListenConfig {
  readonly name: string;
}

async function listenAt(
  app: Pick<FastifyInstance, "listen" | "server">,
  place: Place,
): Promise<{ readonly url: string; readonly port: number }> {
  const { host } = place;
  try {
    await app.listen({ host, port: place.port });
  } catch (error) {
    throw toStartupError(error, place);
  }
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${urlHost(host)}:${port}`, port };
}

function toStartupError(error: unknown, { host, port, portSetting, name }: Place): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartupError(
        `${portSetting}: ${name} ${port} on ${host} is already in use. Stop the program that uses it, or set ${portSetting} to a free port.`,
      );
    case "EACCES":
      return new StartupError(
        `${portSetting}: this user may not listen on ${name} ${port} of ${host}. Set ${portSetting} to a port above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartupError(`DS_HOST: ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
