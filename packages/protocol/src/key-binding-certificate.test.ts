import assert from "node:assert/strict";
import { test } from "node:test";
import vectors from "../../../vectors/public-key.json" with { type: "json" };
import { parseEName } from "./ename.ts";
import { encodeHex } from "./hex.ts";
import { validateKeyBindingClaims } from "./key-binding-certificate.ts";

const ENAME = parseEName("@33333333-3333-4333-8333-333333333333");
const NOW = 1_800_000_000;
const KEY = vectors.own.accept.z_hex_quirk;
const CLAIMS = { ename: ENAME, publicKey: KEY, iat: NOW, exp: NOW + 3600 };

test("validateKeyBindingClaims() gives the key, verbatim and as its point [S1 Key binding certificate, decision V19]", () => {
  const { point, ...claims } = judge(CLAIMS);
  assert.deepEqual(claims, { ename: ENAME, publicKey: KEY, issuedAtSeconds: NOW, expiresAtSeconds: NOW + 3600 });
  assert.equal(encodeHex(point), vectors.own.pointHex);
});

test("validateKeyBindingClaims() compares eNames in canonical spelling [decision I1]", () => {
  const ename = parseEName("@aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee");
  const claims = { ...CLAIMS, ename: ename.slice(1).toUpperCase() };
  assert.equal(validateKeyBindingClaims(claims, { ename, nowSeconds: NOW }).ename, ename);
});

test("validateKeyBindingClaims() accepts a minute of clock difference and an hour of lifetime, and no more [decision I9]", () => {
  judge({ ...CLAIMS, iat: NOW + 60, exp: NOW + 60 + 3660 });
  judge({ ...CLAIMS, iat: NOW - 3600, exp: NOW - 59 });
  const refused = [
    { ...CLAIMS, iat: NOW + 61 },
    { ...CLAIMS, exp: NOW + 3661 },
    { ...CLAIMS, iat: NOW - 3600, exp: NOW - 60 },
    { ename: ENAME, publicKey: KEY, iat: NOW },
    { ename: ENAME, publicKey: KEY, exp: NOW + 60 },
  ];
  for (const claims of refused) {
    assert.throws(() => judge(claims), { code: "INVALID_CERTIFICATE" }, JSON.stringify(claims));
  }
});

test("validateKeyBindingClaims() refuses another eName, another kind of token, and an invalid key [decision I4]", () => {
  const refused = {
    otherEName: { ...CLAIMS, ename: "@44444444-4444-4444-8444-444444444444" },
    noEName: { ...CLAIMS, ename: "alice" },
    missingEName: { ...CLAIMS, ename: undefined },
    platform: { ...CLAIMS, platform: "P" },
    entropy: { ...CLAIMS, entropy: "E" },
    missingKey: { ...CLAIMS, publicKey: undefined },
    zeroKey: { ...CLAIMS, publicKey: `0x${"0".repeat(40)}` },
    offCurve: { ...CLAIMS, publicKey: vectors.own.reject.off_curve },
  };
  for (const [name, claims] of Object.entries(refused)) {
    assert.throws(() => judge(claims), { code: "INVALID_CERTIFICATE" }, name);
  }
});

function judge(claims: Record<string, unknown>): ReturnType<typeof validateKeyBindingClaims> {
  return validateKeyBindingClaims(claims, { ename: ENAME, nowSeconds: NOW });
}
