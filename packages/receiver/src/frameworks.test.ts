import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { expressWebhook } from "./express.ts";
import { fastifyWebhook } from "./fastify.ts";
import { honoWebhook } from "./hono.ts";
import { createMemoryWebhookStore } from "./memory-webhook-store.ts";
import { nodeWebhook } from "./node-http.ts";
import { createTestSender, makeChallenge, makeEvent, type TestDelivery } from "./test-sender.ts";
import { createWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

interface Listening extends AsyncDisposable {
  readonly url: string;
}

async function listen(server: Server): Promise<Listening> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), "close");
    },
  };
}

/**
 * Each has the receiver at /api/webhook and, except node:http, a route /json that parses JSON in the framework's way.
 */
const SERVERS: Readonly<Record<string, (receive: WebhookReceiver) => Promise<Listening>>> = {
  "node:http": (receive) => listen(createServer(nodeWebhook(receive))),
  "Express 5": (receive) => {
    const app = express();
    app.post("/api/webhook", expressWebhook(receive));
    app.post("/json", express.json(), (request, response) => void response.json({ read: request.body }));
    return listen(createServer(app));
  },
  "Express 5 behind express.raw()": (receive) => {
    const app = express();
    app.set("env", "test"); // Express then does not print the body that broke off.
    app.use("/api", express.raw({ type: "*/*", limit: "3mb" }));
    app.post("/api/webhook", expressWebhook(receive));
    app.post("/json", express.json(), (request, response) => void response.json({ read: request.body }));
    return listen(createServer(app));
  },
  "Fastify 5": async (receive) => {
    const app = fastify();
    app.register(fastifyWebhook(receive, "/api/webhook"));
    app.post("/json", async (request) => ({ read: request.body }));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return { url, [Symbol.asyncDispose]: () => app.close() };
  },
  "Hono 4": (receive) => {
    const app = new Hono();
    app.post("/api/webhook", honoWebhook(receive));
    app.post("/json", async (context) => context.json({ read: await context.req.json() }));
    return listen(createServer(nodeWebhook(async (request) => app.fetch(request))));
  },
};

async function setup(start: (receive: WebhookReceiver) => Promise<Listening>) {
  const sender = await createTestSender();
  const [applied, errors]: [unknown[], unknown[]] = [[], []];
  const receive = createWebhookReceiver({
    secrets: [sender.secret],
    store: createMemoryWebhookStore(),
    onEvent: (event) => {
      if (event.data["fail"] === true) throw new Error("the handler fails");
      applied.push(event);
    },
    onError: (error) => void errors.push(error),
  });
  const server = await start(receive);
  const post = async (delivery: TestDelivery): Promise<readonly [number, unknown]> => {
    const response = await fetch(`${server.url}/api/webhook`, delivery);
    const body = JSON.parse(await response.text()) as { status?: unknown; error?: { code: unknown } };
    return [response.status, body.status ?? body.error?.code];
  };
  return { sender, applied, errors, server, post };
}

for (const [name, start] of Object.entries(SERVERS)) {
  test(`${name}: the bytes are verified unchanged, an event is applied once, and refusals have their status [decision E3]`, async () => {
    const { sender, applied, errors, server, post } = await setup(start);
    await using _server = server;
    const event = makeEvent();
    // Parsed and written again, this text would differ.
    const bytes = new TextEncoder().encode(JSON.stringify(event, null, 3).replace('"number": 1', '"number": 1.0e0'));
    const delivery = await sender.sign(bytes);
    assert.deepEqual(await post(delivery), [200, "applied"]);
    assert.deepEqual(await post(delivery), [200, "duplicate"]);
    assert.deepEqual(applied, [event]);
    assert.deepEqual(await post({ ...delivery, body: bytes.slice(1) }), [401, "INVALID_SIGNATURE"]);
    assert.deepEqual(await post(await sender.sign(makeEvent({ data: { fail: true } }))), [500, "NOT_APPLIED"]);
    assert.deepEqual(
      errors.map((error) => (error as Error).message),
      ["the handler fails"],
    );
    assert.deepEqual(await post(await sender.sign(makeChallenge())), [200, "challenge"]);
  });

  test(`${name}: a body of 2 MiB is taken and one byte more is not, whatever its type is called [decision P9] [V-DEC-013]`, async () => {
    const { sender, server, post } = await setup(start);
    await using _server = server;
    const event = makeEvent({ data: { text: "" } });
    const rest = new TextEncoder().encode(JSON.stringify(event)).length;
    const largest = await sender.sign({ ...event, data: { text: "x".repeat(2_097_152 - rest) } });
    assert.deepEqual(await post(largest), [200, "applied"]);
    const larger = await sender.sign({ ...event, data: { text: "x".repeat(2_097_153 - rest) } });
    assert.deepEqual(await post(larger), [413, "PAYLOAD_TOO_LARGE"]);
    for (const type of ["text/plain", "application/octet-stream", "application/json; charset=utf-16", "nonsense/x"]) {
      const other = await sender.sign(makeEvent());
      assert.deepEqual(
        await post({ ...other, headers: { ...other.headers, "content-type": type } }),
        [200, "applied"],
        type,
      );
    }
  });

  const hasRoutes = name !== "node:http";
  hasRoutes &&
    test(`${name}: a route beside the receiver reads its bodies as before`, async () => {
      const { server } = await setup(start);
      await using _server = server;
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${server.url}/json`, { method: "POST", headers, body: '{"a":1}' });
      assert.deepEqual([response.status, await response.json()], [200, { read: { a: 1 } }]);
    });

  test(`${name}: a body sent in pieces and without a length is taken, and one that is cut off does no harm`, async () => {
    const { sender, applied, server, post } = await setup(start);
    await using _server = server;
    const { headers, body } = await sender.sign(makeEvent());
    const outgoing = httpRequest(`${server.url}/api/webhook`, { method: "POST", headers });
    for (const byte of body.subarray(0, 20)) outgoing.write(Uint8Array.of(byte));
    outgoing.end(body.subarray(20));
    const [answer] = await once(outgoing, "response");
    answer.resume();
    assert.equal(answer.statusCode, 200);
    const broken = httpRequest(`${server.url}/api/webhook`, { method: "POST", headers });
    broken.on("error", () => {});
    broken.write(body.subarray(0, 20), () => broken.destroy());
    await new Promise((resolve) => broken.on("close", resolve));
    assert.deepEqual(await post(await sender.sign(makeEvent())), [200, "applied"]);
    assert.equal(applied.length, 2);
  });
}

test("behind a parser that has read the body the answer is 500 and says what to change", async () => {
  const { sender, errors, server, post } = await setup((receive) => {
    const app = express();
    app.use(express.json());
    app.post("/api/webhook", expressWebhook(receive));
    return listen(createServer(app));
  });
  await using _server = server;
  assert.deepEqual(await post(await sender.sign(makeEvent())), [500, "BODY_ALREADY_READ"]);
  assert.match((errors[0] as Error).message, /ahead of every body parser/);
});

test("node:http: other methods are answered 405, a sender of too much is cut off after the answer, an onError that throws is a 500", async () => {
  const sender = await createTestSender();
  const receive = createWebhookReceiver({
    secrets: [sender.secret],
    store: createMemoryWebhookStore(),
    onEvent: () => Promise.reject(new Error("the handler fails")),
    onError: (error) => {
      throw error;
    },
  });
  await using server = await listen(createServer(nodeWebhook(receive)));
  for (const method of ["GET", "PUT", "TRACE"]) {
    const outgoing = httpRequest(server.url, { method }).end();
    const [answer] = await once(outgoing, "response");
    answer.resume();
    assert.deepEqual([answer.statusCode, answer.headers.allow], [405, "POST"], method);
  }
  const headers = { "content-length": "9000000" };
  const outgoing = httpRequest(server.url, { method: "POST", headers });
  outgoing.on("error", () => {});
  outgoing.write("x");
  const [answer] = await once(outgoing, "response");
  answer.resume();
  assert.deepEqual([answer.statusCode, answer.headers.connection], [413, "close"]);
  outgoing.destroy();
  assert.equal((await fetch(server.url, await sender.sign(makeEvent()))).status, 500);
});
