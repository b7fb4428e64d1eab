import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** A service behind the proxy: its own address and that of its admin port. */
export interface Backend {
  readonly url: string;
  readonly adminUrl: string;
}

/** A reverse proxy in front of instances of one service, as an operator has it. */
export interface ReadinessProxy extends AsyncDisposable {
  readonly url: string;
  /** Replaces the instances. */
  readonly backends: (Backend | undefined)[];
  /** Whether requests go to this instance: its last probe found it ready. */
  readonly sendsTo: (backend: Backend) => boolean;
}

const PROBE_EVERY_MS = 100;

/**
 * Starts a proxy that sends each request to an instance whose `/readyz` answered 200 within the last 100 ms, on a
 * connection of its own. It repeats no request.
 */
export async function startReadinessProxy(): Promise<ReadinessProxy> {
  const backends: (Backend | undefined)[] = [];
  const ready = new Set<Backend>();
  let turn = 0;
  // One round at a time: a slow answer of an earlier round must not overwrite a later one.
  let isProbing = false;
  const probe = async (): Promise<void> => {
    if (isProbing) return;
    isProbing = true;
    await Promise.all(
      backends.map(async (backend) => {
        if (backend === undefined) return;
        const isReady = await fetch(`${backend.adminUrl}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isReady) ready.add(backend);
        else ready.delete(backend);
      }),
    );
    isProbing = false;
  };
  const timer = setInterval(() => void probe(), PROBE_EVERY_MS);
  const server = createServer((incoming, outgoing) => {
    const chosen = backends.filter((backend) => backend !== undefined && ready.has(backend));
    turn += 1;
    const backend = chosen[turn % chosen.length];
    if (backend === undefined) return void outgoing.writeHead(503).end();
    const options = { method: incoming.method, headers: { ...incoming.headers, connection: "close" }, agent: false };
    const passed = send(backend.url + incoming.url, options as object, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => void (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backends,
    sendsTo: (backend) => ready.has(backend),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
