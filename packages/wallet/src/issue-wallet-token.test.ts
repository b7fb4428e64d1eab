import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { validateWalletClaims } from "@dataspace/protocol/wallet-token";
import { jwtVerify } from "jose";
import { issueWalletToken } from "./issue-wallet-token.ts";
import { createWalletKey } from "./wallet-key.ts";

const ENAME = parseEName("@11111111-2222-4333-8444-555555555555");
const OWNER = parseEName("@33333333-3333-4333-8333-333333333333");
const NOW = 1_800_000_000;
const clock = { nowMs: () => NOW * 1000 + 999 };

test("issueWalletToken() issues a token whose claims every verifier accepts, for 300 s by default [decision I4] [V-KEY-002]", async () => {
  const key = await createWalletKey();
  const token = await issueWalletToken({ key, clock }, { ename: ENAME, audience: OWNER });
  const { jti, ...claims } = validateWalletClaims(token, { audience: OWNER, nowSeconds: NOW });
  const times = { issuedAtSeconds: NOW, expiresAtSeconds: NOW + 300 };
  assert.deepEqual(claims, { ename: ENAME, audience: OWNER, ...times, keyId: "default" });
  const other = await issueWalletToken({ key, clock }, { ename: ENAME, audience: OWNER });
  assert.notEqual(validateWalletClaims(other, { audience: OWNER, nowSeconds: NOW }).jti, jti);
});

test("issueWalletToken() names the key and takes up to 600 s [decision I4]", async () => {
  const key = await createWalletKey();
  const input = { ename: ENAME, audience: "https://registry.example", keyId: "phone", lifetimeSeconds: 600 };
  const token = await issueWalletToken({ key, clock }, input);
  const claims = validateWalletClaims(token, { audience: "https://registry.example", nowSeconds: NOW });
  assert.deepEqual([claims.keyId, claims.expiresAtSeconds], ["phone", NOW + 600]);
});

test("issueWalletToken() signs with the wallet's key, as two other verifiers find [decision I4, RFC 7515] [V-KEY-001]", async () => {
  const key = await createWalletKey();
  const token = await issueWalletToken({ key, clock }, { ename: ENAME, audience: OWNER });
  const spki = Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point));
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const { signingInput, signature } = parseCompactJws(token);
  assert.ok(verify("sha256", signingInput, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature));
  const expected = {
    audience: OWNER,
    issuer: ENAME,
    subject: ENAME,
    typ: "ds-wallet+jwt",
    currentDate: new Date(NOW * 1000),
  };
  const { protectedHeader } = await jwtVerify(token, publicKey, expected);
  assert.deepEqual(protectedHeader, { alg: "ES256", typ: "ds-wallet+jwt", kid: ENAME });
});

test("issueWalletToken() refuses lifetimes that every verifier would refuse [decision I4]", async () => {
  const key = await createWalletKey();
  for (const lifetimeSeconds of [0, -1, 601, 1.5, Number.NaN]) {
    const input = { ename: ENAME, audience: OWNER, lifetimeSeconds };
    await assert.rejects(issueWalletToken({ key, clock }, input), { code: "INVALID_LIFETIME" });
  }
});
