import { startChild } from "./child.ts";

/** A bare Fastify server in a process of its own. */
export interface BareServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/**
 * Starts a bare Fastify server: `POST /graphql` takes any JSON and answers a value that Fastify writes as JSON each time;
 * `GET /` takes nothing and answers the same as one constant text.
 */
export async function startBareServer(body: string): Promise<BareServer> {
  const child = startChild("bare-child.ts");
  const { port } = await child.ask<{ readonly port: number }>("start", body);
  return { pid: child.pid, port, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
}
