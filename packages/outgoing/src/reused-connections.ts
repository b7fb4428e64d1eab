import { Client } from "undici";
import { createGuardedConnector, GUARDED_HEADER_BYTES } from "./guarded-connector.ts";
import type { GuardedTarget } from "./guarded-target.ts";

/** After this time a new connection is opened, which resolves and checks the name again. */
const LONGEST_KEPT_MS = 10_000;
const LONGEST_IDLE_MS = 4_000;
const MOST_IDLE = 256;

/** A connection to one URL, opened after its addresses were checked. */
export interface Connection {
  readonly url: string;
  readonly client: Client;
  readonly path: string;
  /** Whether it may be reused. */
  isFit: boolean;
}

/**
 * Makes a connection that opens to a checked target at its first use. `onClosed` is called when it ends. Refuses:
 * never.
 */
export function connectTo(
  text: string,
  { url, addresses }: GuardedTarget,
  onClosed: (connection: Connection) => void,
): Connection {
  const client = new Client(url.origin, {
    connect: createGuardedConnector(addresses, url),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: GUARDED_HEADER_BYTES,
    keepAliveTimeout: LONGEST_IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    // The request's own deadline is shorter than any of these could be.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const connection: Connection = { url: text, client, path: url.pathname + url.search, isFit: true };
  const timer = setTimeout(() => {
    connection.isFit = false;
  }, LONGEST_KEPT_MS).unref();
  client.once("disconnect", () => {
    clearTimeout(timer);
    connection.isFit = false;
    onClosed(connection);
  });
  return connection;
}

/** Idle connections that may be reused. */
export interface ReusedConnections {
  /** Takes a reusable connection to a URL, if there is one. */
  readonly take: (url: string) => Connection | undefined;
  /** Returns a connection for reuse, or closes it where it is unfit or the pool is full. */
  readonly giveBack: (connection: Connection) => void;
  readonly forget: (connection: Connection) => void;
  readonly endAll: () => Promise<void>;
}

/** Makes a pool of 256 idle connections, each for the URL it was opened for. Refuses: never. */
export function createReusedConnections(): ReusedConnections {
  const idleByUrl = new Map<string, Set<Connection>>();
  let idle = 0;
  function forget(connection: Connection): void {
    const connections = idleByUrl.get(connection.url);
    if (!connections?.delete(connection)) return;
    idle -= 1;
    if (connections.size === 0) idleByUrl.delete(connection.url);
  }
  return {
    forget,
    take: (url) => {
      for (const connection of idleByUrl.get(url) ?? []) {
        forget(connection);
        if (connection.isFit) return connection;
        void connection.client.destroy();
      }
      return undefined;
    },
    giveBack: (connection) => {
      if (!connection.isFit || connection.client.destroyed || idle === MOST_IDLE) {
        void connection.client.destroy();
        return;
      }
      idle += 1;
      const connections = idleByUrl.get(connection.url);
      if (connections === undefined) idleByUrl.set(connection.url, new Set([connection]));
      else connections.add(connection);
    },
    endAll: async () => {
      const connections = [...idleByUrl.values()].flatMap((some) => [...some]);
      await Promise.all(connections.map(({ client }) => client.destroy()));
    },
  };
}
