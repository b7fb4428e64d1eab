import assert from "node:assert/strict";
import { test } from "node:test";
import { rawRequest, sendRaw } from "./support/raw-request.ts";
import { startVault } from "./support/start-vault.ts";

test("any origin may call where callers prove themselves, without credentials of the browser [V-DEC-720]", async () => {
  await using vault = await startVault({ auth: "enforced", cors: { origins: "any" } });
  const owner = await vault.createOwner();
  const answer = await fetch(`${vault.url}/whois`, {
    headers: { "x-ename": owner, origin: "https://anywhere.example" },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  assert.equal(answer.headers.get("access-control-allow-credentials"), null);
});

test("a preflight names the served methods and the allowed headers, without X-ENAME [V-DEC-365] [V-DEC-721] [V-DEC-722]", async () => {
  await using vault = await startVault();
  const answer = await fetch(`${vault.url}/public-key`, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:8080" },
  });
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get("access-control-allow-methods"), "PATCH, DELETE, OPTIONS");
  for (const name of ["Content-Type", "Authorization", "X-ENAME", "X-ON-BEHALF-OF", "Idempotency-Key", "DPoP"]) {
    assert.match(answer.headers.get("access-control-allow-headers") ?? "", new RegExp(name));
  }
});

const development = { auth: "header", cors: { origins: "loopback", allowHosts: ["192.168.1.5"] } } as const;
for (const origin of [
  "http://localhost:8080",
  "http://127.0.0.1:3000",
  "http://[::1]:1",
  "https://sandbox.localhost",
  "http://192.168.1.5:8080",
]) {
  test(`in header mode a page of ${origin} may call, and is named in the answer [V-DEC-723] [V-DEC-725]`, async () => {
    await using vault = await startVault(development);
    const owner = await vault.createOwner();
    const answer = await fetch(`${vault.url}/whois`, { headers: { "x-ename": owner, origin } });
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, origin]);
  });
}
for (const origin of [
  "https://evil.example",
  "null",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "file://",
  "http://192.168.1.6",
]) {
  test(`in header mode a page of ${origin} is 403 ORIGIN_NOT_ALLOWED, its preflight too [V-DEC-723] [V-DEC-726]`, async () => {
    await using vault = await startVault(development);
    const owner = await vault.createOwner();
    for (const method of ["POST", "OPTIONS"]) {
      const answer = await fetch(`${vault.url}/graphql`, { method, headers: { "x-ename": owner, origin } });
      assert.equal(answer.status, 403);
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, "ORIGIN_NOT_ALLOWED");
    }
  });
}
for (const [host, status] of [
  ["127.0.0.1:4000", 200],
  ["localhost", 200],
  ["[::1]:4000", 200],
  ["192.168.1.5:4000", 200],
  ["evil.example", 403],
  ["127.0.0.1.evil.example", 403],
  ["vault.local", 403],
] as const) {
  test(`in header mode the host ${host} is ${status}, so no rebound name is served [V-DEC-724]`, async () => {
    await using vault = await startVault(development);
    const owner = await vault.createOwner();
    const answer = await sendRaw(vault.url, rawRequest("GET /whois", [`Host: ${host}`, `X-ENAME: ${owner}`]));
    assert.equal(answer.status, status);
  });
}
