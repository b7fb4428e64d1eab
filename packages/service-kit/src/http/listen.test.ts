import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { listen } from "./listen.ts";

test("listen(): port 0 gets a free port, and the address answers", async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  app.get("/", () => "here");
  const { url, port } = await listen(app, { host: "localhost", port: 0, portSetting: "DS_VAULT_PORT" });
  assert.equal(url, `http://127.0.0.1:${port}`);
  assert.equal(await (await fetch(url)).text(), "here");
});

test("listen(): a busy port is exit 78 and the message names the setting and the port [P6] [V-DEC-015]", async (t) => {
  const first = Fastify();
  const second = Fastify();
  t.after(() => Promise.all([first.close(), second.close()]));
  const { port } = await listen(first, { host: "127.0.0.1", port: 0, portSetting: "DS_VAULT_PORT" });
  await assert.rejects(listen(second, { host: "127.0.0.1", port, portSetting: "DS_OIDC_PORT" }), {
    name: "StartupError",
    exitCode: 78,
    message: new RegExp(`^DS_OIDC_PORT: port ${port} `),
  });
});

test("listen(): an address of another machine is exit 78 and the message names DS_HOST", async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  await assert.rejects(listen(app, { host: "192.0.2.1", port: 0, portSetting: "DS_VAULT_PORT" }), {
    exitCode: 78,
    message: /^DS_HOST: 192\.0\.2\.1 /,
  });
});
