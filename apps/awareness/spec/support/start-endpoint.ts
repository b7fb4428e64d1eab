import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A request as an endpoint got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook endpoint on a free port of this machine. */
export interface Endpoint {
  readonly url: string;
  readonly received: readonly Received[];
  /** With which status it answers from now on; undefined: not at all. */
  status: number | undefined;
}

/** Starts an endpoint, for as long as the test runs. It answers 204 by default. */
export async function startEndpoint(t: TestContext): Promise<Endpoint> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts).toString() });
    const location = `http://${request.headers.host}/elsewhere`;
    if (endpoint.status !== undefined) response.writeHead(endpoint.status, { location }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    status: 204,
  };
  return endpoint;
}
