import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { readSigningKeys, type SigningKeys } from "./signing-keys.ts";
import type { JWK } from "jose";

// RFC 7515 A.3's key; the jose library computed its thumbprint, independently of this code.
const KNOWN = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
};
const KNOWN_THUMBPRINT = "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U";

test("readSigningKeys(): a key without kid gets its RFC 7638 thumbprint, one with kid keeps it [X2]", () => {
  assert.equal(keysOf(KNOWN).published[0].kid, KNOWN_THUMBPRINT);
  assert.equal(keysOf({ ...KNOWN, kid: "entropy-1" }).published[0].kid, "entropy-1");
});

test("readSigningKeys(): what is published has no private part, whatever the setting holds [X2]", () => {
  const { published } = keysOf({
    keys: [KNOWN, newJwk(), { ...newJwk(), d: undefined }, { ...newJwk(), key_ops: ["sign"] }],
  });
  assert.equal(published.length, 4);
  for (const jwk of published) {
    assert.deepEqual(Object.keys(jwk).toSorted(), ["alg", "crv", "kid", "kty", "use", "x", "y"]);
  }
});

test("readSigningKeys(): says what is wrong with the setting and repeats nothing of it [P5, P7]", () => {
  const { d: otherPrivate } = newJwk();
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({ format: "jwk" });
  const wrong: readonly [unknown, RegExp][] = [
    ["not json", /JWK/],
    [[], /JWK/],
    [null, /JWK/],
    [{ keys: [] }, /JWK/],
    [{ ...KNOWN, d: undefined }, /private/],
    [{ ...KNOWN, d: otherPrivate }, /belong/],
    [p384, /P-256/],
    [{ ...KNOWN, kid: "" }, /kid/],
    [{ ...KNOWN, kid: "a b" }, /kid/],
    [{ ...KNOWN, kid: "k".repeat(129) }, /kid/],
    [{ ...KNOWN, alg: "ES384" }, /ES256/],
    [{ keys: [KNOWN, p384] }, /P-256/],
    [{ keys: [KNOWN, null] }, /P-256/],
    [{ keys: [KNOWN, { ...newJwk(), x: KNOWN.x }] }, /P-256/],
    [{ keys: [KNOWN, { ...newJwk(), use: "enc" }] }, /ES256/],
    [{ keys: [KNOWN, { ...newJwk(), d: undefined, key_ops: ["sign"] }] }, /ES256/],
    [{ keys: [KNOWN, { ...newJwk(), key_ops: ["deriveKey"] }] }, /ES256/],
    [{ keys: [KNOWN, { ...newJwk(), key_ops: "verify" }] }, /ES256/],
    [{ keys: [KNOWN, KNOWN] }, /two keys/],
  ];
  for (const [setting, expected] of wrong) {
    const text = typeof setting === "string" ? setting : JSON.stringify(setting);
    const reading = readSigningKeys(text);
    assert.ok("fault" in reading, text);
    assert.match(reading.fault, expected, text);
    assert.ok(!reading.fault.includes(KNOWN.d) && !reading.fault.includes(KNOWN.x));
  }
});

function keysOf(setting: unknown): SigningKeys {
  const reading = readSigningKeys(JSON.stringify(setting));
  assert.ok("keys" in reading);
  return reading.keys;
}

function newJwk(): JWK {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;
}
