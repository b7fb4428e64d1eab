import assert from "node:assert/strict";
import { test } from "node:test";
import { envToRegistryConfig } from "../src/config.ts";
import { createJwk, SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

test("tokens that are signed without a credential are limited by address: 429 RATE_LIMITED with Retry-After, while reading goes on (decisions V2, V21)", async (t) => {
  const { url } = await startTestRegistry(t, { limits: { perAddress: 100, anonymous: 2 } });
  const certify = () =>
    fetch(`${url}/platforms/certification`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform: "https://p.example" }),
    });
  assert.equal((await fetch(`${url}/entropy`)).status, 200);
  assert.equal((await certify()).status, 200);
  for (const refused of [await certify(), await fetch(`${url}/entropy`)]) {
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal(refused.headers.get("ratelimit-policy"), '"address";q=100;w=60, "anonymous";q=2;w=60');
    assert.equal(((await refused.json()) as { error: { code: string } }).error.code, "RATE_LIMITED");
  }
  assert.equal((await fetch(`${url}/motd`)).status, 200);
});

test("what an address sends over its limit is 429, whatever it asks for (decision V21)", async (t) => {
  const { url } = await startTestRegistry(t, { limits: { perAddress: 1, anonymous: 0 } });
  const statuses = [await fetch(`${url}/list`), await fetch(`${url}/list`), await fetch(`${url}/nothing`)];
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 429, 429],
  );
});

test("the limits have production defaults (decision V21)", () => {
  const env = {
    REGISTRY_SIGNING_KEY_JWK: JSON.stringify(createJwk()),
    REGISTRY_SHARED_SECRET: "0123456789abcdefghijklmnopqrstuv",
  };
  assert.deepEqual(envToRegistryConfig(env).limits, { perAddress: 3_000, anonymous: 60 });
});

test("DS_TRUSTED_PROXIES is read by the registry: its clients behind that proxy have a limit each (decision V21)", async (t) => {
  const env = {
    REGISTRY_SIGNING_KEY_JWK: JSON.stringify(createJwk()),
    REGISTRY_SHARED_SECRET: "0123456789abcdefghijklmnopqrstuv",
    DS_TRUSTED_PROXIES: "127.0.0.1",
  };
  const { trustedProxies = [] } = envToRegistryConfig(env);
  const { url } = await startTestRegistry(t, { limits: { perAddress: 1, anonymous: 0 }, trustedProxies });
  const from = async (client: string) =>
    (await fetch(`${url}/motd`, { headers: { "x-forwarded-for": client } })).status;
  assert.deepEqual(
    [await from("198.51.100.1"), await from("198.51.100.1"), await from("198.51.100.2")],
    [200, 429, 200],
  );
  assert.throws(() => envToRegistryConfig({ ...env, DS_TRUSTED_PROXIES: "10.0.0.0/99" }), /DS_TRUSTED_PROXIES: lists/);
});

test("requests without the shared secret never use up what its holder may send from the same address (decision V25)", async (t) => {
  const { url } = await startTestRegistry(t, { limits: { perAddress: 1, anonymous: 0 } });
  const resolve = (headers = {}) => fetch(`${url}/resolve?dsid=${crypto.randomUUID()}`, { headers });
  const holder = { authorization: `Bearer ${SHARED_SECRET}` };
  const statuses = [];
  for (const headers of [{}, {}, { authorization: "Bearer a-wrong-secret" }, holder])
    statuses.push((await resolve(headers)).status);
  assert.deepEqual(statuses, [404, 429, 429, 404]);
  for (let more = 0; more < 9; more += 1) assert.equal((await resolve(holder)).status, 404);
  assert.equal((await resolve(holder)).status, 429);
});
