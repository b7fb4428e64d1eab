import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { ask } from "./support/ask.ts";
import { createJwk, startTestRegistry } from "./support/start-test-registry.ts";

const DAY_MS = 24 * 3600 * 1000;
const START_MS = Date.parse("2026-11-21T12:00:00Z");

test("GET /.well-known/jwks.json shows public ES256 keys only, to be cached for 300 s [S1 Authentication, S2 JWKS cache]", async (t) => {
  const { url } = await startTestRegistry(t, { signingKey: { ...createJwk(), kid: "k1" } });
  const { body, headers } = await ask<JSONWebKeySet>(`${url}/.well-known/jwks.json`);
  const [key, ...others] = body.keys;
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(key ?? {}).toSorted(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
  assert.partialDeepStrictEqual(key, { kty: "EC", crv: "P-256", kid: "k1", alg: "ES256", use: "sig" });
  assert.match(headers.get("cache-control") ?? "", /max-age=300\b/);
});

test("Key rotation: the next key is published before it signs, tokens of the old one verify after it retired [X2]", async (t) => {
  const [oldKey, newKey] = [
    { ...createJwk(), kid: "old" },
    { ...createJwk(), kid: "new" },
  ];
  const before = await startTestRegistry(t, { signingKey: { keys: [oldKey, newKey] }, nowMs: () => START_MS });
  const { databaseUrl } = before;
  assert.deepEqual(await kidsAt(before.url), ["old", "new"]);
  const oldToken = await mint(before.url);
  const keySetBefore = await readKeySet(before.url);

  const after = await startTestRegistry(t, { signingKey: newKey, nowMs: () => START_MS + DAY_MS, databaseUrl });
  assert.deepEqual(await kidsAt(after.url), ["new", "old"]);
  assert.equal(await verifiedKid(oldToken, await readKeySet(after.url), START_MS + DAY_MS), "old");
  assert.equal(await verifiedKid(await mint(after.url), keySetBefore, START_MS + DAY_MS), "new");
});

test("Key rotation: a retired key stays published for the year that its platform tokens live, then it goes [X2]", async (t) => {
  const first = await startTestRegistry(t, { signingKey: { ...createJwk(), kid: "old" }, nowMs: () => START_MS });
  const { databaseUrl } = first;
  let nowMs = START_MS + DAY_MS;
  const second = await startTestRegistry(t, {
    signingKey: { ...createJwk(), kid: "new" },
    nowMs: () => nowMs,
    databaseUrl,
  });
  nowMs += 365 * DAY_MS;
  assert.deepEqual(await kidsAt(second.url), ["new", "old"]);
  nowMs += 2 * DAY_MS;
  assert.deepEqual(await kidsAt(second.url), ["new"]);
});

test("Key rotation: a key that signs again is no longer retired [X2]", async (t) => {
  const [one, two] = [
    { ...createJwk(), kid: "one" },
    { ...createJwk(), kid: "two" },
  ];
  const { databaseUrl } = await startTestRegistry(t, { signingKey: one, nowMs: () => START_MS });
  await startTestRegistry(t, { signingKey: two, nowMs: () => START_MS + DAY_MS, databaseUrl });
  await startTestRegistry(t, { signingKey: one, nowMs: () => START_MS + 300 * DAY_MS, databaseUrl });
  const last = await startTestRegistry(t, { signingKey: two, nowMs: () => START_MS + 600 * DAY_MS, databaseUrl });
  assert.deepEqual(await kidsAt(last.url), ["two", "one"]);
});

test("Key rotation: however often keys change, the set holds at most 20, the newest [decision I4, X2]", async (t) => {
  let { databaseUrl } = await startTestRegistry(t, {
    signingKey: { ...createJwk(), kid: "k0" },
    nowMs: () => START_MS,
  });
  let url = "";
  for (let round = 1; round <= 21; round++) {
    const signingKey = { ...createJwk(), kid: `k${round}` };
    ({ url, databaseUrl } = await startTestRegistry(t, {
      signingKey,
      nowMs: () => START_MS + round * DAY_MS,
      databaseUrl,
    }));
  }
  assert.deepEqual(
    await kidsAt(url),
    Array.from({ length: 20 }, (_, index) => `k${21 - index}`),
  );
});

test("A kid that named another key before stops the start with a message that says so [X2]", async (t) => {
  const { databaseUrl } = await startTestRegistry(t, { signingKey: { ...createJwk(), kid: "k1" } });
  await assert.rejects(startTestRegistry(t, { signingKey: { ...createJwk(), kid: "k1" }, databaseUrl }), {
    name: "StartupError",
    exitCode: 78,
    message: /REGISTRY_SIGNING_KEY_JWK.*k1/,
  });
});

async function mint(url: string): Promise<string> {
  const answer = await ask<{ token: string }>(`${url}/platforms/certification`, { body: { platform: "p" } });
  return answer.body.token;
}

async function readKeySet(url: string): Promise<JSONWebKeySet> {
  return (await ask<JSONWebKeySet>(`${url}/.well-known/jwks.json`)).body;
}

async function kidsAt(url: string): Promise<readonly unknown[]> {
  return (await readKeySet(url)).keys.map(({ kid }) => kid);
}

async function verifiedKid(token: string, keySet: JSONWebKeySet, nowMs: number): Promise<unknown> {
  const options = { algorithms: ["ES256"], currentDate: new Date(nowMs) };
  return (await jwtVerify(token, createLocalJWKSet(keySet), options)).protectedHeader.kid;
}
