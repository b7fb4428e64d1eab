import assert from "node:assert/strict";
import { test } from "node:test";
import { validatePlatformClaims } from "./platform-token.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;
const CLAIMS = { platform: "https://chat.example", iat: NOW, exp: NOW + 365 * DAY };

test("validatePlatformClaims() names the platform [S1 Platform token, decision I4]", () => {
  const times = { issuedAtSeconds: CLAIMS.iat, expiresAtSeconds: CLAIMS.exp };
  assert.deepEqual(judge(CLAIMS), { platform: "https://chat.example", ...times });
  const bare = { platform: "P", issuedAtSeconds: undefined, expiresAtSeconds: NOW + 1 };
  assert.deepEqual(judge({ platform: "P", exp: NOW + 1 }), bare);
});

test("validatePlatformClaims() refuses the other tokens that the registry's key signs [decision I4]", () => {
  for (const claim of ["ename", "publicKey", "entropy"]) {
    assert.throws(() => judge({ ...CLAIMS, [claim]: "x" }), { code: "INVALID_TOKEN" }, claim);
  }
});

test("validatePlatformClaims() refuses a token without a name or expiry, or outside its validity period [decision I4]", () => {
  const refused = {
    noPlatform: { iat: NOW, exp: NOW + DAY },
    emptyPlatform: { ...CLAIMS, platform: "" },
    numberPlatform: { ...CLAIMS, platform: 1 },
    nul: { ...CLAIMS, platform: "a\u0000b" },
    illFormed: { ...CLAIMS, platform: "\ud800" },
    longPlatform: { ...CLAIMS, platform: "p".repeat(513) },
    noExpiry: { platform: "P", iat: NOW },
    expired: { platform: "P", iat: NOW - DAY, exp: NOW - 60 },
    future: { ...CLAIMS, iat: NOW + 61 },
    nullIat: { ...CLAIMS, iat: null },
    overAYear: { ...CLAIMS, exp: NOW + 367 * DAY },
    overAYearWithoutIat: { platform: "P", exp: NOW + 367 * DAY },
  };
  for (const [name, claims] of Object.entries(refused)) {
    assert.throws(() => judge(claims), { code: "INVALID_TOKEN" }, name);
  }
});

function judge(claims: Record<string, unknown>): ReturnType<typeof validatePlatformClaims> {
  return validatePlatformClaims(claims, { nowSeconds: NOW });
}
