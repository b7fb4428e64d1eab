import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify } from "jose";
import { ask, askRefusal } from "./support/ask.ts";
import { SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

const ENAME = "@5ecf7860-1190-592e-925a-b2c6e0f95ff0";
const HOUR_SECONDS = 3600;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;
const NOW_MS = Date.parse("2026-11-21T12:00:00.900Z");
const NOW_SECONDS = Math.floor(NOW_MS / 1000);
const secret = { authorization: `Bearer ${SHARED_SECRET}` };

interface Token {
  readonly token: string;
}

test("GET /entropy: an ES256 token of the key set with 20 random characters for 1 hour, never the same twice [X2]", async (t) => {
  const { url } = await startTestRegistry(t, { nowMs: () => NOW_MS });
  const tokens = await Promise.all(Array.from({ length: 20 }, () => ask<Token>(`${url}/entropy`)));
  const claims = await Promise.all(tokens.map(async ({ body }) => (await verify(url, body.token)).payload));
  for (const payload of claims) {
    assert.match(String(payload["entropy"]), /^[A-Za-z0-9]{20}$/);
    assert.deepEqual(payload, { entropy: payload["entropy"], iat: NOW_SECONDS, exp: NOW_SECONDS + HOUR_SECONDS });
  }
  assert.equal(new Set(claims.map(({ entropy }) => entropy)).size, 20);
  assert.equal(tokens[0]?.headers.get("cache-control"), "no-store");
});

test("POST /key-binding-certificate: ename, publicKey verbatim, iat and exp for 1 hour, header alg and kid [S1 Key binding certificate, V19] [V-KBC-001] [V-KBC-002] [V-KBC-003] [V-KBC-004] [V-KBC-005] [V-KBC-006] [V-KBC-007] [V-KBC-008] [V-LIM-003] [V-DEC-702]", async (t) => {
  const { url } = await startTestRegistry(t, { nowMs: () => NOW_MS });
  const publicKey = createHexPublicKey();
  const { status, body } = await ask<Token>(`${url}/key-binding-certificate`, {
    body: { ename: ENAME.slice(1).toUpperCase(), publicKey },
    headers: secret,
  });
  assert.equal(status, 200);
  const { payload, protectedHeader } = await verify(url, body.token);
  assert.deepEqual(payload, { ename: ENAME, publicKey, iat: NOW_SECONDS, exp: NOW_SECONDS + HOUR_SECONDS });
  assert.deepEqual(Object.keys(protectedHeader).toSorted(), ["alg", "kid"]);
});

test("POST /key-binding-certificate refuses a bad eName or key with 400, a missing or wrong secret with 401 first [I1, I6, X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  const publicKey = createHexPublicKey();
  const certify = (body: unknown, headers: Record<string, string> = secret): Promise<string> =>
    askRefusal(`${url}/key-binding-certificate`, { body, headers });
  for (const members of [
    { publicKey },
    { ename: "alice", publicKey },
    { ename: ENAME },
    { ename: ENAME, publicKey: 1 },
    "[]",
  ]) {
    assert.equal(await certify(members), "400 BAD_REQUEST", JSON.stringify(members));
  }
  const spki = Buffer.from(publicKey.slice(1), "hex");
  const keys = [
    `m${spki.toString("base64")}`,
    `0x${spki.toString("hex")}`,
    spki.toString("base64"),
    "z",
    "zzzz",
    `z${"00".repeat(91)}`,
  ];
  for (const key of [...keys, `0x${"0".repeat(40)}`, `${publicKey}00`]) {
    assert.equal(await certify({ ename: ENAME, publicKey: key }), "400 INVALID_PUBLIC_KEY", key);
  }
  assert.equal(await certify("{", {}), "401 UNAUTHENTICATED");
  assert.equal(await certify({ ename: ENAME, publicKey }, { authorization: "Bearer other" }), "401 UNAUTHENTICATED");
});

test("POST /platforms/certification: a token for the platform, verbatim, for one year [S3 Registry calls, I7]", async (t) => {
  const { url } = await startTestRegistry(t, { nowMs: () => NOW_MS });
  for (const platform of ["https://blog.example", "a name", ENAME, "é".repeat(256)]) {
    const { status, body } = await ask<Token>(`${url}/platforms/certification`, { body: { platform } });
    assert.equal(status, 200);
    const { payload } = await verify(url, body.token);
    assert.deepEqual(payload, { platform, iat: NOW_SECONDS, exp: NOW_SECONDS + YEAR_SECONDS });
  }
  for (const platform of [undefined, "", "  ", "x".repeat(257), 7, "a\u0000", ["x"]]) {
    assert.equal(await askRefusal(`${url}/platforms/certification`, { body: { platform } }), "400 BAD_REQUEST");
  }
});

test("POST /platforms/certification is 410 LEGACY_TOKENS_DISABLED when legacy tokens are off [I7] [V-DEC-244]", async (t) => {
  const { url } = await startTestRegistry(t, { legacyMint: false });
  const body = { platform: "https://blog.example" };
  assert.equal(await askRefusal(`${url}/platforms/certification`, { body }), "410 LEGACY_TOKENS_DISABLED");
  assert.deepEqual((await ask(`${url}/platforms`)).body, []);
});

test("GET /platforms: the base addresses among the platform names, each once [X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  assert.deepEqual((await ask(`${url}/platforms`)).body, []);
  const names = [
    "https://b.example/",
    "https://b.example",
    "http://a.example:8080/app/",
    "a name",
    ENAME,
    "ftp://x.example",
  ];
  for (const platform of [...names, "https://user:word@c.example", "https://d.example/?token=1"]) {
    assert.equal((await ask(`${url}/platforms/certification`, { body: { platform } })).status, 200);
  }
  assert.deepEqual((await ask(`${url}/platforms`)).body, ["http://a.example:8080/app", "https://b.example"]);
});

test("GET /motd and GET /healthz tell that the registry is up [X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  assert.deepEqual((await ask(`${url}/motd`)).body, { status: "up", message: "" });
  assert.deepEqual((await ask(`${url}/healthz`)).body, { status: "ok" });
});

async function verify(url: string, token: string): Promise<JWTVerifyResult> {
  const { body } = await ask<JSONWebKeySet>(`${url}/.well-known/jwks.json`);
  return jwtVerify(token, createLocalJWKSet(body), { algorithms: ["ES256"], currentDate: new Date(NOW_MS) });
}

function createHexPublicKey(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return `z${publicKey.export({ format: "der", type: "spki" }).toString("hex")}`;
}
