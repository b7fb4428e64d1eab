import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { createVerifyEcdsa } from "./verify-ecdsa.ts";

test("a signature holds for its own key and data alone, however often it is asked", () => {
  const verifyEcdsa = createVerifyEcdsa();
  const [one, other] = [0, 1].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }));
  const [spki, otherSpki] = [one!, other!].map(({ publicKey }) => publicKey.export({ format: "der", type: "spki" }));
  const data = Buffer.from("what is signed");
  const raw64 = sign("sha256", data, { key: one!.privateKey, dsaEncoding: "ieee-p1363" });
  for (let times = 0; times < 2; times += 1) {
    assert.equal(verifyEcdsa(spki!, data, raw64), true);
    assert.equal(verifyEcdsa(otherSpki!, data, raw64), false);
    assert.equal(verifyEcdsa(spki!, Buffer.from("something else"), raw64), false);
    assert.equal(verifyEcdsa(spki!, data, raw64.subarray(1)), false);
  }
});
