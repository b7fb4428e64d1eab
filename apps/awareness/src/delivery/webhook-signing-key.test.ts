import assert from "node:assert/strict";
import { sign } from "node:crypto";
import { test } from "node:test";
import { readWebhookSigningKey } from "./webhook-signing-key.ts";

// RFC 8037, appendix A.
const D = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const JWK = { kty: "OKP", crv: "Ed25519", d: D, x: X };

test("the key of RFC 8037 is published with its thumbprint, and signs what its public key verifies [V-EVT-167]", async () => {
  const reading = readWebhookSigningKey(JSON.stringify(JWK));
  assert.ok("key" in reading);
  const { signing, published } = reading.key;
  const kid = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
  assert.deepEqual(published, { kty: "OKP", crv: "Ed25519", x: X, kid, alg: "EdDSA", use: "sig" });
  const text = Buffer.from("text");
  const signature = sign(null, text, signing);
  const verifying = await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x: X }, "Ed25519", true, [
    "verify",
  ]);
  assert.ok(await crypto.subtle.verify("Ed25519", verifying, signature, text));
});

test("a setting that is not a private Ed25519 key is refused with words that repeat none of it [V-EVT-167]", () => {
  const other = "A".repeat(43);
  const cases = [
    ["", /one JSON object/],
    ["[]", /one JSON object/],
    [JSON.stringify({ ...JWK, kty: "EC" }), /Ed25519/],
    [JSON.stringify({ ...JWK, d: undefined }), /"d"/],
    [JSON.stringify({ ...JWK, d: `${D}AA` }), /"d"/],
    [JSON.stringify({ ...JWK, x: other }), /"x"/],
    [JSON.stringify({ ...JWK, kid: "a b" }), /"kid"/],
  ] as const;
  for (const [text, fault] of cases) {
    const reading = readWebhookSigningKey(text);
    assert.ok("fault" in reading, text);
    assert.match(reading.fault, fault);
    assert.ok(!reading.fault.includes(D));
  }
});
