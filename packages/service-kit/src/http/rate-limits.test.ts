import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { addressKey, limitAddresses } from "./rate-limits.ts";

function serve(t: TestContext, requests: number) {
  const app = createHttpServer({
    log: createLog({ service: "test", level: "silent", pretty: false }),
    bodyLimitBytes: 1_000,
    cors: { origins: "any" },
    allowedHeaders: [],
  });
  t.after(() => app.close());
  limitAddresses(app, { name: "address", requests, windowSeconds: 60 });
  app.get("/", async (request) => ({ key: addressKey(request) }));
  return (remoteAddress: string, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ url: "/", remoteAddress, headers });
}

test("limitAddresses(): IPv6 addresses of one /64 count as one, another /64 by itself [V21]", async (t) => {
  const ask = serve(t, 2);
  const addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2:a:b:c:d", "2001:db8:1:3::1"];
  const statuses = [];
  for (const address of addresses) statuses.push((await ask(address)).statusCode);
  assert.deepEqual(statuses, [200, 200, 429, 200]);
});

test("limitAddresses(): an IPv4 address is the same in both its forms", async (t) => {
  const ask = serve(t, 1);
  assert.equal((await ask("192.0.2.7")).statusCode, 200);
  assert.equal((await ask("::ffff:192.0.2.7")).statusCode, 429);
  assert.equal((await ask("192.0.2.8")).statusCode, 200);
});

test("limitAddresses(): a forwarded address that a client names is not believed", async (t) => {
  const ask = serve(t, 5);
  const answer = await ask("192.0.2.7", { "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" });
  assert.equal(answer.json().key, "192.0.2.7");
});

test("limitAddresses(): a limit of 0 counts nothing and says nothing", async (t) => {
  const answer = await serve(t, 0)("192.0.2.7");
  assert.deepEqual([answer.statusCode, answer.headers["ratelimit-policy"]], [200, undefined]);
});
