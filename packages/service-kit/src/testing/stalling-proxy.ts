import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import pg from "pg";

/**
 * A TCP proxy in front of a database that behaves like a firewall that drops connections: it stops forwarding and
 * closes nothing.
 */
export interface StallingProxy extends AsyncDisposable {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Stops forwarding on every open connection; with `newOnes`, on later ones too. */
  readonly stall: (which?: { readonly newOnes: boolean }) => void;
  /** Forwards on new connections again. */
  readonly allowNewOnes: () => void;
  /** The number of connections so far. */
  readonly connections: () => number;
}

/** Starts one on a free port. In: the database's address. Refuses: never by itself. */
export async function startStallingProxy(databaseUrl: string): Promise<StallingProxy> {
  const { host, port, user, database, password } = new pg.Client({ connectionString: databaseUrl });
  const pairs: (readonly [Socket, Socket])[] = [];
  let stallsNewOnes = false;
  const stop = (pair: readonly [Socket, Socket]) => {
    for (const socket of pair) socket.unpipe().pause();
  };
  const server = createServer((near) => {
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const pair = [near, far] as const;
    pairs.push(pair);
    for (const [socket, other] of [pair, [far, near] as const]) {
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    if (stallsNewOnes) return stop(pair);
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const credential = password ? `${user}:${password}` : user;
  return {
    url: `postgresql://${credential}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    stall: ({ newOnes } = { newOnes: false }) => {
      stallsNewOnes = newOnes;
      pairs.forEach(stop);
    },
    allowNewOnes: () => {
      stallsNewOnes = false;
    },
    connections: () => pairs.length,
    [Symbol.asyncDispose]: async () => {
      for (const socket of pairs.flat()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
