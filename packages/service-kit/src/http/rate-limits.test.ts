import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { addressKey, createRateLimit, limitAddresses } from "./rate-limits.ts";

function serve(t: TestContext, requests: number, trustedProxies: readonly string[] = []) {
  const app = createHttpServer({
    trustedProxies,
    log: createLog({ service: "test", level: "silent", pretty: false }),
    bodyLimitBytes: 1_000,
    cors: { origins: "any" },
    allowedHeaders: [],
  });
  t.after(() => app.close());
  limitAddresses(app, { name: "address", requests, windowSeconds: 60 });
  app.get("/", async (request) => ({ key: addressKey(request), protocol: request.protocol }));
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

test("limitAddresses(): a forwarded address from a client is not trusted", async (t) => {
  const ask = serve(t, 5);
  const answer = await ask("192.0.2.7", { "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" });
  assert.equal(answer.json().key, "192.0.2.7");
});

test("limitAddresses(): a limit of 0 counts nothing and says nothing", async (t) => {
  const answer = await serve(t, 0)("192.0.2.7");
  assert.deepEqual([answer.statusCode, answer.headers["ratelimit-policy"]], [200, undefined]);
});

const PROXIES = ["10.0.0.1", "2001:db8:5::/48"];
const FORWARDED = [
  { what: "the client's address from a trusted proxy", from: "10.0.0.1", header: "198.51.100.1", key: "198.51.100.1" },
  {
    what: "the client's address through two trusted proxies",
    from: "10.0.0.1",
    header: "198.51.100.1, 2001:db8:5::9",
    key: "198.51.100.1",
  },
  {
    what: "the rightmost address that is not a trusted proxy, not one that a client sent before it",
    from: "10.0.0.1",
    header: "10.0.0.1, 203.0.113.5, 198.51.100.1",
    key: "198.51.100.1",
  },
  {
    what: "a trusted proxy on a dual-stack socket",
    from: "::ffff:10.0.0.1",
    header: "198.51.100.1",
    key: "198.51.100.1",
  },
  { what: "an IPv6 client by its /64", from: "10.0.0.1", header: "2001:db8:1:2::7", key: "2001:db8:1:2::" },
  { what: "the connection where it is no trusted proxy", from: "10.0.0.2", header: "198.51.100.1", key: "10.0.0.2" },
  { what: "the proxy where it forwards no address", from: "10.0.0.1", header: "x".repeat(9_000), key: "10.0.0.1" },
] as const;

for (const { what, from, header, key } of FORWARDED) {
  test(`limitAddresses(): with trusted proxies a request counts for ${what} [V21]`, async (t) => {
    const answer = await serve(t, 5, PROXIES)(from, { "x-forwarded-for": header, "x-forwarded-proto": "https" });
    assert.equal(answer.json().key, key);
    assert.equal(answer.json().protocol, from === "10.0.0.2" ? "http" : "https");
  });
}

test("limitAddresses(): clients behind a trusted proxy have a limit each [V21]", async (t) => {
  const ask = serve(t, 1, PROXIES);
  const from = async (client: string) => (await ask("10.0.0.1", { "x-forwarded-for": client })).statusCode;
  const statuses = [await from("198.51.100.1"), await from("198.51.100.1"), await from("198.51.100.2")];
  assert.deepEqual(statuses, [200, 429, 200]);
});

test("createRateLimit(): long keys, which are stored as a digest, stay distinct [V25]", async (t) => {
  const app = createHttpServer({
    log: createLog({ service: "test", level: "silent", pretty: false }),
    bodyLimitBytes: 1_000,
    cors: { origins: "any" },
    allowedHeaders: [],
  });
  t.after(() => app.close());
  const count = createRateLimit(app, { name: "caller", requests: 1, windowSeconds: 60 });
  app.get("/", async (request) => count(request, String(request.headers["x-key"])));
  const ask = async (key: string) => (await app.inject({ url: "/", headers: { "x-key": key } })).statusCode;
  const long = "k".repeat(10_000);
  assert.deepEqual([await ask(`${long}1`), await ask(`${long}2`), await ask(`${long}1`)], [200, 200, 429]);
});
