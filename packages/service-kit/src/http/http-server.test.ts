import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";

test("a keep-alive connection whose answer is sent while the server closes does not delay the end [decision P5]", async () => {
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "any" }, allowedHeaders: [] });
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  app.get("/slow", async (_request, reply) => {
    // The head, which promises keep-alive, is sent before the server begins to close.
    reply.raw.writeHead(200, { "content-length": 2 });
    reply.raw.write("o");
    started.resolve();
    await finish.promise;
    reply.raw.end("k");
    return reply.hijack();
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const agent = new Agent({ keepAlive: true });
  const { port } = app.server.address() as AddressInfo;
  const asked = get({ host: "127.0.0.1", port, path: "/slow", agent });
  const [response] = await once(asked, "response");
  await started.promise;
  const closed = app.close().then(() => "closed");
  while (app.server.listening) await wait(5);
  finish.resolve();
  response.resume();
  await once(response, "end");
  assert.equal(await Promise.race([closed, wait(10_000, "still open", { ref: false })]), "closed");
  agent.destroy();
});

test("a text with U+0000 that reaches the database is the client's fault, not the service's [decision V25]", async () => {
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "any" }, allowedHeaders: [] });
  app.get("/stores", async () => {
    throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code: "22021" });
  });
  const { statusCode, json } = await app.inject("/stores");
  assert.deepEqual([statusCode, json().error.code], [400, "BAD_REQUEST"]);
});

test("a client that does not send its body, answered or not, does not delay the end [decision P5]", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const log = createLog({ service: "test", level: "silent", pretty: false });
  const app = createHttpServer({ log, bodyLimitBytes: 1024, cors: { origins: "any" }, allowedHeaders: [] });
  app.post("/refuses", { onRequest: async (_request, reply) => reply.code(401).send({}) }, async () => ({}));
  app.post("/waits", async () => ({}));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const headers = { "content-type": "application/json", "content-length": 10 };
  const hold = (path: string) => {
    const held = request({ host: "127.0.0.1", port, path, method: "POST", headers }).on("error", () => undefined);
    held.flushHeaders();
    return held;
  };
  const [answered] = await once(hold("/refuses"), "response");
  assert.equal(answered.statusCode, 401);
  const waiting = hold("/waits");
  const cutOff = new Promise((resolve) => waiting.once("close", resolve));
  await once(app.server, "request");
  const closed = app.close();
  await once(answered.socket, "close");
  assert.equal(waiting.destroyed, false);
  t.mock.timers.tick(8_000);
  await Promise.all([closed, cutOff]);
});
