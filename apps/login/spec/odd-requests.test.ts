import assert from "node:assert/strict";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startLogin } from "./support/start-login.ts";

const MOST_CPU_MS = 150;

for (const path of ["/authorize", "/userinfo"]) {
  test(`${path} refuses a query of thousands of parameters before it is read, and holds the event loop for no second [decision V25]`, async (t) => {
    const login = await startLogin(t);
    await login.get(`${path}?a=b`);
    const before = process.threadCpuUsage();
    const response = await login.get(`${path}?${"a&".repeat(6_000)}`);
    const { error } = (await response.json()) as { readonly error: { readonly code: string } };
    const { user, system } = process.threadCpuUsage(before);
    assert.deepEqual([response.status, error.code], [400, "BAD_REQUEST"]);
    assert.ok((user + system) / 1_000 < MOST_CPU_MS, `${(user + system) / 1_000} ms`);
  });
}

for (const [method, path, status] of [
  ["GET", "/token", 405],
  ["POST", "/jwks", 405],
  ["POST", "/.well-known/openid-configuration", 405],
  ["OPTIONS", "/token", 204],
  ["OPTIONS", "/jwks", 204],
] as const) {
  test(`${method} ${path} is answered ${status} by the connector, and not by the library's text [decision V2]`, async (t) => {
    const login = await startLogin(t);
    const response = await fetch(`${login.url}${path}`, { method });
    const body = await response.text();
    assert.equal(response.status, status);
    if (status === 405) assert.equal(JSON.parse(body).error.code, "METHOD_NOT_ALLOWED");
    else assert.match(response.headers.get("allow") ?? "", /OPTIONS/);
  });
}

test("a browser's preflight of the token endpoint is answered by the protocol [decision L1]", async (t) => {
  const login = await startLogin(t);
  const headers = { origin: "https://rp.example", "access-control-request-method": "POST" };
  const { status } = await fetch(`${login.url}/token`, { method: "OPTIONS", headers });
  assert.equal(status, 204);
});

test("a preflight that names no method or no origin is answered by the connector [decision V2]", async (t) => {
  const login = await startLogin(t);
  for (const headers of [
    { origin: "https://rp.example", "access-control-request-method": "" },
    { origin: "", "access-control-request-method": "POST" },
  ]) {
    const response = await fetch(`${login.url}/jwks`, { method: "OPTIONS", headers });
    assert.deepEqual([response.status, response.headers.get("allow")], [204, "GET, OPTIONS"]);
  }
});

test("a repeated or missing Host at the portal is refused with 400, before cookies are read [decisions I1, V2]", async (t) => {
  const login = await startLogin(t);
  for (const heads of ["Host: a\r\nHost: b\r\n", "", "Host: a\r\nAuthorization: a\r\nAuthorization: b\r\n"]) {
    const socket = connect(Number(new URL(login.url).port), "127.0.0.1");
    socket.end(`GET /portal HTTP/1.1\r\n${heads}Connection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 400 /, heads);
  }
});
