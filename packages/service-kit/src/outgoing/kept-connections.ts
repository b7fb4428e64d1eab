import { Client } from "undici";
import { createGuardedConnector, GUARDED_HEADER_BYTES } from "./guarded-connector.ts";
import type { GuardedTarget } from "./guarded-target.ts";

/** After this a name is resolved and judged anew, by making a new connection. */
const LONGEST_KEPT_MS = 10_000;
const LONGEST_IDLE_MS = 4_000;
const MOST_IDLE = 256;

/** A connection that was made for one URL, after its addresses were judged. */
export interface Connection {
  readonly url: string;
  readonly client: Client;
  readonly path: string;
  /** Whether it may be used once more. */
  isFit: boolean;
}

/** Makes what connects to a judged target when it is first used. `onClosed` is told when its connection ends. Refuses: never. */
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
    // The deadline of the whole request is shorter than any of its parts could be.
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

/** Connections that wait to be used once more. */
export interface KeptConnections {
  /** One to a URL that may be used once more, if one is kept. */
  readonly take: (url: string) => Connection | undefined;
  /** Keeps it, or ends it where it is not fit or too many are kept. */
  readonly giveBack: (connection: Connection) => void;
  readonly forget: (connection: Connection) => void;
  readonly endAll: () => Promise<void>;
}

/** Makes room for 256 connections that wait, each for the URL it was made for. Refuses: never. */
export function createKeptConnections(): KeptConnections {
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
