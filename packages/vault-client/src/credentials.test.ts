import assert from "node:assert/strict";
import { test } from "node:test";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, exportJWK, jwtVerify } from "jose";
import { type CredentialRequest, createBearerCredential } from "./credential.ts";
import { createPlatformCredential } from "./platform-credential.ts";
import { createSessionCredential } from "./session-credential.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { createRecord, createTestClient, OWNER, readRecord, sendJson, startTestVault } from "./testing/test-vault.ts";
import { createWalletCredential } from "./wallet-credential.ts";

const READ: CredentialRequest = {
  owner: OWNER,
  vaultUrl: "http://vault.test",
  method: "POST",
  url: "http://vault.test/graphql?a=b#c",
  isWrite: false,
};
const WRITE = { ...READ, isWrite: true };
const NOTE = { ontology: "note-v1", payload: {} };

test("a bearer token that no header can carry is refused", async () => {
  assert.deepEqual(await createBearerCredential("a.b-c").headersFor(READ), { authorization: "Bearer a.b-c" });
  for (const text of ["", "a b", "a\r\nb", "é"]) {
    assert.throws(() => createBearerCredential(text), { code: "CREDENTIAL_UNAVAILABLE" });
  }
});

test("each write has a wallet token of its own, and reads share one until a minute before its end", async () => {
  const clock = createTestClock();
  const { headersFor, forget } = createWalletCredential({ ename: OWNER, key: await createWalletKey() }, clock);
  const writes = [await headersFor(WRITE), await headersFor(WRITE)];
  const [first, second] = [await headersFor(READ), await headersFor(READ)];
  assert.notDeepEqual(writes[0], writes[1]);
  assert.deepEqual(first, second);
  clock.advance(240_000);
  const renewed = await headersFor(READ);
  assert.notDeepEqual(renewed, first);
  forget?.(OWNER, first);
  assert.deepEqual(await headersFor(READ), renewed);
  forget?.(OWNER, renewed);
  assert.notDeepEqual(await headersFor(READ), renewed);
});

test("a session is opened once for many requests, and each request has a DPoP proof of its own (RFC 9449)", async () => {
  const clock = createTestClock();
  const key = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  let opened = 0;
  const openSession = async () => {
    opened += 1;
    return { access_token: `dss_${opened}`, token_type: "DPoP", expires_in: 600 } as const;
  };
  const { headersFor } = createSessionCredential({ key, openSession }, clock);
  const [one, two] = await Promise.all([headersFor(WRITE), headersFor(WRITE)]);
  assert.equal(opened, 1);
  assert.equal(one.authorization, "DPoP dss_1");
  assert.notEqual(one["dpop"], two["dpop"]);
  const proof = one["dpop"] as string;
  const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", currentDate: new Date(clock.nowMs()) });
  const header = decodeProtectedHeader(proof);
  assert.equal(
    await calculateJwkThumbprint(header.jwk ?? {}),
    await calculateJwkThumbprint(await exportJWK(key.publicKey)),
  );
  assert.deepEqual(Object.keys(header.jwk ?? {}).sort(), ["crv", "kty", "x", "y"]);
  // The hash of "dss_1" in base64url.
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("dss_1"));
  assert.deepEqual(
    { htm: payload["htm"], htu: payload["htu"], ath: payload["ath"], iat: payload.iat },
    {
      htm: "POST",
      htu: "http://vault.test/graphql",
      ath: Buffer.from(hash).toString("base64url"),
      iat: Math.floor(clock.nowMs() / 1_000),
    },
  );
  clock.advance(570_000);
  assert.equal((await headersFor(READ)).authorization, "DPoP dss_2");
});

test("a session of type Bearer carries no proof", async () => {
  const key = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const openSession = async () => ({ access_token: "dss_1", token_type: "Bearer", expires_in: 300 }) as const;
  assert.deepEqual(await createSessionCredential({ key, openSession }).headersFor(READ), {
    authorization: "Bearer dss_1",
  });
});

test("a platform's token is asked for once and renewed five minutes before its end", async () => {
  const clock = createTestClock();
  let asked = 0;
  const fetch = async () => Response.json({ token: makeToken(clock.nowMs() / 1_000 + 3_600, asked++) });
  const config = { registryUrl: "http://registry.test", platform: "https://notes.example" };
  const { headersFor } = createPlatformCredential(config, { fetch, nowMs: clock.nowMs });
  const [one, two] = await Promise.all([headersFor(READ), headersFor(WRITE)]);
  assert.deepEqual([one, asked], [two, 1]);
  clock.advance(3_300_000);
  assert.notDeepEqual(await headersFor(READ), one);
});

function makeToken(exp: number, number: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "ES256" })}.${encode({ exp, number })}.signature`;
}

test("a token that the vault refuses with 401 is replaced once, and many refusals at once cost one new token", async () => {
  let good = "2";
  await using server = await startTestVault((request, response) => {
    if (request.headers.authorization === `Bearer ${good}`) return readRecord(request, response);
    sendJson(response, { error: { code: "INVALID_TOKEN", message: "Refused." } }, { status: 401 });
  });
  let given = 1;
  const credential = {
    headersFor: async () => ({ authorization: `Bearer ${given}` }),
    forget: (_owner: string, { authorization = "" }: Readonly<Record<string, string>>) => {
      if (authorization === `Bearer ${given}`) given += 1;
    },
  };
  const { vault } = createTestClient(server.url, { credential });
  await Promise.all(Array.from({ length: 20 }, (_, id) => vault.get(`${id}`)));
  assert.equal(given, 2);
  good = "none";
  const before = server.received.length;
  await assert.rejects(vault.get("1"), { code: "INVALID_TOKEN", status: 401 });
  const posts = server.received.slice(before).filter(({ method }) => method === "POST");
  assert.equal(posts.length, 2);
});

test("a write that is sent again has a new wallet token and the same Idempotency-Key", async () => {
  await using server = await startTestVault((request, response) => {
    if (server.received.length > 1) return createRecord(request, response);
    response.destroy();
  });
  const credential = createWalletCredential({ ename: OWNER, key: await createWalletKey() });
  const { vault } = createTestClient(server.url, { credential });
  await vault.create(NOTE);
  const posts = server.received.filter(({ method }) => method === "POST");
  assert.equal(new Set(posts.map(({ headers }) => headers.authorization)).size, 2);
  assert.equal(new Set(posts.map(({ headers }) => headers["idempotency-key"])).size, 1);
});

test("a credential that gives no headers ends the call with its cause", async () => {
  const cause = new Error("the phone is locked");
  const { vault } = createTestClient("http://127.0.0.1:1", { credential: { headersFor: () => Promise.reject(cause) } });
  await assert.rejects(vault.create(NOTE), { code: "CREDENTIAL_UNAVAILABLE", cause, mayBeWritten: false });
});
