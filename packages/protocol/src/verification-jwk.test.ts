import assert from "node:assert/strict";
import { test } from "node:test";
import { isVerificationJwk } from "./verification-jwk.ts";

test("a JWK verifies when use and key_ops, where present, say so [RFC 7517 4.2, 4.3] [decision I4]", () => {
  for (const jwk of [{}, { use: "sig" }, { key_ops: ["verify"] }, { use: "sig", key_ops: ["sign", "verify"] }]) {
    assert.equal(isVerificationJwk(jwk), true, JSON.stringify(jwk));
  }
  const others = [
    { use: "enc" },
    { use: null },
    { key_ops: [] },
    { key_ops: ["sign"] },
    { key_ops: ["encrypt", "VERIFY"] },
    { key_ops: "verify" },
    { key_ops: null },
    { key_ops: { 0: "verify" } },
    { use: "enc", key_ops: ["verify"] },
  ];
  for (const jwk of others) assert.equal(isVerificationJwk(jwk), false, JSON.stringify(jwk));
});
