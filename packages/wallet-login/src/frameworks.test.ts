import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { expressWalletLogin } from "./express.ts";
import { fastifyWalletLogin } from "./fastify.ts";
import { honoWalletLogin } from "./hono.ts";
import { createMemoryLoginStore } from "./memory-login-store.ts";
import { serveFetch } from "./node-http.ts";
import { createWalletLogin } from "./wallet-login.ts";
import { createWalletLoginDoor, type WalletLoginDoor } from "./wallet-login-door.ts";

const ADA = parseEName("@11111111-2222-4333-8444-555555555555");

async function listen(t: TestContext, server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return listen(t, createServer(listener));
}

/** How a platform of each framework serves the door, beside a page of its own at `/`. */
const FRAMEWORKS: Readonly<Record<string, (t: TestContext, door: WalletLoginDoor) => Promise<string>>> = {
  express: (t, door) => {
    const app = express();
    app.use(expressWalletLogin(door));
    app.get("/", (_request, response) => void response.send("own page"));
    return serve(t, app);
  },
  "express behind express.json()": (t, door) => {
    const app = express();
    app.use(express.json());
    app.use(expressWalletLogin(door));
    app.get("/", (_request, response) => void response.send("own page"));
    return serve(t, app);
  },
  fastify: async (t, door) => {
    const app = fastify();
    app.register(fastifyWalletLogin(door));
    app.get("/", async () => "own page");
    t.after(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  hono: (t, door) => {
    const app = new Hono();
    app.use(honoWalletLogin(door));
    app.get("/", (context) => context.text("own page"));
    return serve(
      t,
      serveFetch(async (request) => app.fetch(request)),
    );
  },
};

for (const [name, start] of Object.entries(FRAMEWORKS)) {
  test(`${name} serves the door: an answer, its refusals, a stream of events, and leaves other addresses alone`, async (t) => {
    const login = createWalletLogin(
      {
        store: createMemoryLoginStore({ clock: { nowMs: () => 1_000_000 } }),
        check: async ({ ename, signature }) =>
          signature === "good" ? { signed: { ename, encoding: "base64" } } : { failure: "bad_signature" },
      },
      { name: "Notes", publicUrl: () => "http://127.0.0.1" },
    );
    const door = createWalletLoginDoor(login);
    t.after(() => door.close());
    const url = await start(t, door);
    const shown = (await login.open(undefined)) ?? assert.fail("no login was opened");
    const headers = { cookie: shown.setCookie.split(";")[0] ?? "" };
    const post = (body: object) =>
      fetch(`${url}/api/auth`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    assert.equal(await (await fetch(url)).text(), "own page");
    assert.equal((await post({ ename: "nobody" })).status, 400);
    const left = new AbortController();
    await fetch(`${url}/api/auth/events`, { headers, signal: left.signal });
    left.abort();
    const events = await fetch(`${url}/api/auth/events`, { headers });
    assert.deepEqual(await (await post({ ename: ADA, session: shown.session, signature: "good" })).json(), {
      success: true,
    });
    assert.match(await events.text(), /event: pending\n[\s\S]*event: signed\n/);
    assert.equal((await login.collect(headers.cookie))?.ename, ADA);
  });
}
