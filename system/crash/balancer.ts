import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/** One address in front of several services, like an operator's load balancer. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

/** A connection that is idle for this long is closed, so that a client with keep-alive reaches each service in turn. */
const IDLE_MS = 50;

/** Passes each connection to one of the ports of this machine in turn, and to the next where nobody listens. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer((incoming) => {
    turn += 1;
    passOn(incoming, [...ports.slice(turn % ports.length), ...ports.slice(0, turn % ports.length)], open);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => close(server, open),
  };
}

function passOn(incoming: Socket, [port, ...others]: readonly number[], open: Set<Socket>): void {
  if (port === undefined) return void incoming.destroy();
  const outgoing = connect({ port, host: "127.0.0.1" });
  let isThrough = false;
  outgoing.once("connect", () => {
    isThrough = true;
    for (const socket of [incoming, outgoing]) open.add(socket.once("close", () => open.delete(socket)));
    incoming.pipe(outgoing).pipe(incoming);
    endWhenIdle(incoming, outgoing);
    incoming.once("close", () => outgoing.destroy());
    outgoing.once("close", () => incoming.destroy());
  });
  outgoing.on("error", () => (isThrough ? incoming.destroy() : passOn(incoming, others, open)));
  if (incoming.listenerCount("error") === 0) incoming.on("error", () => undefined);
}

// Never between a request and its answer, which would cause repeats where nothing failed.
function endWhenIdle(incoming: Socket, outgoing: Socket): void {
  let isAnswered = false;
  incoming.on("data", () => {
    isAnswered = false;
  });
  outgoing.on("data", () => {
    isAnswered = true;
  });
  incoming.setTimeout(IDLE_MS, () => {
    if (isAnswered) incoming.destroy();
  });
}

async function close(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of open) socket.destroy();
  await closed;
}
