import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { CompactSign } from "jose";
import { createRemoteKeySet, type RemoteKeySet } from "./remote-key-set.ts";

const CLAIMS = { entropy: "AbCdEfGhIjKlMnOpQrSt", iat: 1, exp: 2 };

test("RemoteKeySet.verify() gives header and payload of a token that a published key signed [S1 Authentication]", async () => {
  const { keySet, issuer } = setup();
  const key = issuer.publish("k1");
  assert.deepEqual(await keySet.verify(await sign(key, { kid: "k1" })), {
    header: { alg: "ES256", kid: "k1", typ: undefined },
    payload: CLAIMS,
  });
});

test("RemoteKeySet.verify() refuses other signatures, algorithms, unknown kids, crit, b64 and more than 8 KiB [I4]", async () => {
  const { keySet, issuer } = setup();
  const key = issuer.publish("k1");
  const good = await sign(key, { kid: "k1" });
  const [header, payload, signature] = good.split(".") as [string, string, string];
  const stranger = createKey();
  const bad = {
    "another key": await sign(stranger.privateKey, { kid: "k1" }),
    "an embedded key": await sign(stranger.privateKey, {
      kid: "k1",
      jwk: stranger.publicKey.export({ format: "jwk" }),
    }),
    "an unknown kid": await sign(key, { kid: "k2" }),
    "no kid": await sign(key, {}),
    "a path as kid": await sign(key, { kid: "../../etc/passwd" }),
    crit: `${encode({ alg: "ES256", kid: "k1", crit: ["exp"] })}.${payload}.${signature}`,
    b64: `${encode({ alg: "ES256", kid: "k1", b64: false })}.${payload}.${signature}`,
    "alg none": `${encode({ alg: "none", kid: "k1" })}.${payload}.`,
    HS256: `${encode({ alg: "HS256", kid: "k1" })}.${payload}.${signature}`,
    "a changed payload": `${header}.${encode({ ...CLAIMS, exp: 3 })}.${signature}`,
    "too long": await sign(key, { kid: "k1" }, { ...CLAIMS, more: "x".repeat(8192) }),
    "two parts": `${header}.${payload}`,
    nothing: "",
  };
  for (const [what, token] of Object.entries(bad)) {
    await assert.rejects(keySet.verify(token), { name: "ProtocolError", code: "INVALID_TOKEN" }, what);
  }
  await keySet.verify(good);
});

test("RemoteKeySet asks the issuer once in 300 s, and once for many tokens at the same time [S2 Settings, I4]", async () => {
  const { keySet, issuer, clock } = setup();
  const token = await sign(issuer.publish("k1"), { kid: "k1" });
  await Promise.all(Array.from({ length: 50 }, () => keySet.verify(token)));
  clock.advanceSeconds(299);
  await keySet.verify(token);
  assert.equal(issuer.asked(), 1);
  clock.advanceSeconds(1);
  await keySet.verify(token);
  assert.equal(issuer.asked(), 2);
});

test("RemoteKeySet asks again for an unknown kid, at most every 30 s, and so learns a new key at once [I4]", async () => {
  const { keySet, issuer, clock } = setup();
  const first = await sign(issuer.publish("k1"), { kid: "k1" });
  await keySet.verify(first);
  const second = await sign(issuer.publish("k2"), { kid: "k2" });
  clock.advanceSeconds(29);
  await assertRefused(keySet, second);
  assert.equal(issuer.asked(), 1);
  clock.advanceSeconds(1);
  await keySet.verify(second);
  assert.equal(issuer.asked(), 2);
  for (let round = 0; round < 10; round++)
    await assertRefused(keySet, await sign(createKey().privateKey, { kid: `x${round}` }));
  assert.equal(issuer.asked(), 2);
});

test("RemoteKeySet drops a key with the first answer that no longer contains it [I4]", async () => {
  const { keySet, issuer, clock } = setup();
  const token = await sign(issuer.publish("k1"), { kid: "k1" });
  issuer.publish("k2");
  await keySet.verify(token);
  issuer.withdraw("k1");
  await keySet.verify(token);
  clock.advanceSeconds(300);
  await assertRefused(keySet, token);
});

test("RemoteKeySet uses known keys for up to an hour while the issuer is down, asking it every 30 s; unknown kids fail [I4]", async () => {
  const { keySet, issuer, clock } = setup();
  const token = await sign(issuer.publish("k1"), { kid: "k1" });
  const unknown = await sign(createKey().privateKey, { kid: "k2" });
  await keySet.verify(token);
  issuer.answer(() => new Response("down", { status: 503 }));
  clock.advanceSeconds(300);
  for (let round = 0; round < 5; round++) await keySet.verify(token);
  assert.equal(issuer.asked(), 2);
  await assert.rejects(keySet.verify(unknown), { name: "UpstreamError", code: "refused" });
  assert.equal(issuer.asked(), 2);
  clock.advanceSeconds(3299);
  await keySet.verify(token);
  clock.advanceSeconds(1);
  await assert.rejects(keySet.verify(token), { name: "UpstreamError", code: "refused" });
  issuer.answer(undefined);
  clock.advanceSeconds(1);
  await keySet.verify(token);
});

test("RemoteKeySet skips keys for other purposes and refuses values that are not sets, too long or ambiguous [I4]", async () => {
  const { keySet, issuer, clock } = setup();
  const token = await sign(issuer.publish("k1"), { kid: "k1" });
  const rsa = { ...generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" }), kid: "r" };
  const p384 = { ...generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" }), kid: "p" };
  const [jwk] = issuer.keys();
  const offCurve = { ...jwk, kid: "o", x: jwk?.["y"] };
  const others = [rsa, p384, offCurve, { ...jwk, kid: "e", use: "enc" }, { ...jwk, kid: "a", alg: "ES384" }, null, 7];
  issuer.answer(() => Response.json({ keys: [...others, jwk] }));
  await keySet.verify(token);

  const documents = [
    null,
    [],
    {},
    { keys: [] },
    { keys: {} },
    { keys: [rsa] },
    { keys: [jwk, jwk] },
    { keys: Array(21).fill(jwk) },
  ];
  for (const document of documents) {
    clock.advanceSeconds(3600);
    issuer.answer(() => Response.json(document));
    await assert.rejects(keySet.verify(token), { name: "UpstreamError", code: "malformed" }, JSON.stringify(document));
  }
});

test("RemoteKeySet verifies nothing with a key whose key_ops lacks verify [RFC 7517 4.3] [I4]", async () => {
  const { keySet, issuer } = setup();
  const token = await sign(issuer.publish("k1"), { kid: "k1" });
  const [jwk] = issuer.keys();
  issuer.publish("k2");
  issuer.answer(() => Response.json({ keys: [{ ...jwk, key_ops: ["sign"] }, issuer.keys()[1]] }));
  await assertRefused(keySet, token);
});

async function assertRefused(keySet: RemoteKeySet, token: string): Promise<void> {
  await assert.rejects(keySet.verify(token), { name: "ProtocolError", code: "INVALID_TOKEN" });
}

// The issuer is another party here: a stub at the edge of `fetch`.
function setup() {
  const published = new Map<string, Readonly<Record<string, unknown>>>();
  let nowMs = 1_000_000;
  let asked = 0;
  let answer: (() => Response) | undefined;
  const fetch = async (): Promise<Response> => {
    asked++;
    return answer?.() ?? Response.json({ keys: [...published.values()] });
  };
  return {
    keySet: createRemoteKeySet(
      { fetch, clock: { nowMs: () => nowMs } },
      { keySetUrl: "http://registry.example/jwks.json" },
    ),
    clock: {
      advanceSeconds: (seconds: number) => {
        nowMs += seconds * 1000;
      },
    },
    issuer: {
      publish: (kid: string): KeyObject => {
        const { privateKey, publicKey } = createKey();
        published.set(kid, { ...publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" });
        return privateKey;
      },
      withdraw: (kid: string) => published.delete(kid),
      keys: () => [...published.values()],
      answer: (next: (() => Response) | undefined) => {
        answer = next;
      },
      asked: () => asked,
    },
  };
}

function createKey(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

async function sign(
  key: KeyObject,
  header: Readonly<Record<string, unknown>>,
  claims: unknown = CLAIMS,
): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ alg: "ES256", ...header }).sign(key);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
