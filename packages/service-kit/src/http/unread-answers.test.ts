import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import Fastify from "fastify";
import { cutUnreadAnswers } from "./unread-answers.ts";

const LARGE = "x".repeat(32 * 1_048_576);

async function serve(t: TestContext) {
  const app = Fastify({ forceCloseConnections: true });
  t.after(() => app.close());
  cutUnreadAnswers(app, 300);
  let cut = 0;
  app.get("/large", async (_request, reply) => {
    reply.raw.once("close", () => {
      cut += reply.raw.writableFinished ? 0 : 1;
    });
    return LARGE;
  });
  app.get("/slow", async () => {
    await wait(1_000);
    return LARGE;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, cut: () => cut };
}

test("an answer that nobody reads is cut off, and its memory given back [decision V25]", async (t) => {
  const { port, cut } = await serve(t);
  const socket = connect(port, "127.0.0.1").pause();
  t.after(() => socket.destroy());
  socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(socket, "connect");
  while (cut() === 0) await wait(20);
});

test("an answer that takes longer to compute than the time limit of unread answers is sent completely [decision V25]", async (t) => {
  const { url } = await serve(t);
  assert.equal((await (await fetch(`${url}/slow`)).text()).length, LARGE.length);
});
