import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import fastify, { type FastifyReply } from "fastify";
import { createStreams, type StreamRequest } from "./feed-streams.ts";

const MEBIBYTE = 1_048_576;
/** Longer than what the sockets of this machine hold together. */
const PACKET = { eventId: "e", schemaId: "s", receivedAt: "t", body: `{"text":"${"x".repeat(MEBIBYTE)}"}` };

interface World extends AsyncDisposable {
  readonly port: number;
  readonly replies: FastifyReply[];
  /** Where it is set, requests wait for it before their stream begins, as they do while a credential is checked. */
  gate: Promise<void> | undefined;
}

/** Serves a feed without end in pages of four messages of 1 MiB. */
async function startWorld(unreadMs: number): Promise<World> {
  const app = fastify();
  const streams = createStreams(app, { untilGrown: (signal) => once(signal, "abort").then(() => undefined) }, unreadMs);
  const read: StreamRequest["read"] = async (after) => {
    const packets = [1, 2, 3, 4].map((n) => ({ ...PACKET, position: after + n }));
    return { packets, position: after + 4, more: true, gap: false };
  };
  const replies: FastifyReply[] = [];
  app.get("/", async (_request, reply) => {
    replies.push(reply);
    await world.gate;
    await streams.open(reply, { consumerId: "one", from: 0, read, isAllowed: async () => true });
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const world: World = {
    port: (app.server.address() as AddressInfo).port,
    replies,
    gate: undefined,
    [Symbol.asyncDispose]: () => app.close(),
  };
  return world;
}

/** Asks for a stream and does not read the answer. */
async function ask({ port }: World): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write("GET / HTTP/1.1\r\nhost: feed\r\n\r\n");
  return socket;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function statusOf(world: World): Promise<string> {
  const socket = await ask(world);
  const [head] = (await once(socket.resume(), "data")) as [Buffer];
  socket.destroy();
  return head.toString().slice(9, 12);
}

test("a reader that does not read holds one message in memory, is cut off, and its place is free again [decision V25]", async () => {
  await using world = await startWorld(500);
  const sockets = await Promise.all([1, 2, 3, 4, 5].map(() => ask(world)));
  await until(() => world.replies.length === 5);
  let mostBytes = 0;
  const allClosed = () => {
    for (const { raw } of world.replies) mostBytes = Math.max(mostBytes, raw.writableLength);
    return world.replies.every(({ raw }) => raw.destroyed);
  };
  await until(allClosed);
  assert.ok(mostBytes > 0 && mostBytes <= MEBIBYTE + 65_536, `${mostBytes} bytes`);
  assert.equal(await statusOf(world), "200");
  for (const socket of sockets) socket.destroy();
});

test("a reader that is gone before its stream begins takes no place [decision V25]", async () => {
  await using world = await startWorld(60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  world.gate = promise;
  const sockets = await Promise.all([1, 2, 3, 4, 5].map(() => ask(world)));
  await until(() => world.replies.length === 5);
  for (const socket of sockets) socket.destroy();
  await until(() => world.replies.every(({ raw }) => raw.destroyed));
  resolve();
  assert.equal(await statusOf(world), "200");
});

test("a reader that reads gets every message, however slowly [decision E7]", async () => {
  await using world = await startWorld(60_000);
  const socket = await ask(world);
  let [text, places] = ["", 0];
  for await (const part of socket) {
    text = text.slice(-20) + String(part);
    for (const found of text.slice(0, -20).matchAll(/id: (\d+)\n/g)) {
      places += 1;
      assert.equal(Number(found[1]), places);
    }
    if (places >= 12) break;
  }
});
