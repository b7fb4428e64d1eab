import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
import { createTestKey, type TestKey } from "../testing/test-key.ts";
import { createVerifyDpopProof, pointThumbprint } from "./dpop-proof.ts";

const NOW_SECONDS = 1_700_000_000;
const REQUEST = { method: "POST", url: "https://vault.test/graphql" };
const [own, other] = [createTestKey("own"), createTestKey("other")];

function proofBy(key: TestKey, jti: string): Promise<string> {
  return writeDpopProof(key, { ...REQUEST, accessToken: "a-token", jti, nowSeconds: NOW_SECONDS });
}

function expectedOf({ publicKey }: TestKey) {
  const keyThumbprint = pointThumbprint(decodePublicKey(publicKey).point);
  return { ...REQUEST, keyThumbprint, tokenHash: hash("sha256", "a-token", "base64url"), nowSeconds: NOW_SECONDS };
}

test("a header that was valid counts again only with a signature by its own key [decision A1]", async () => {
  const verify = createVerifyDpopProof(createVerifyEcdsa());
  const [first, second, foreign] = [await proofBy(own, "1"), await proofBy(own, "2"), await proofBy(other, "3")];
  assert.equal((await verify(first, expectedOf(own)))?.jti, "1");
  assert.equal((await verify(second, expectedOf(own)))?.jti, "2");
  const [header] = first.split(".");
  const [, payload, signature] = foreign.split(".");
  assert.equal(await verify([header, payload, signature].join("."), expectedOf(own)), undefined);
  assert.equal(
    await verify(
      second.replace(/.$/, (last) => (last === "A" ? "Q" : "A")),
      expectedOf(own),
    ),
    undefined,
  );
});

test("a header never counts for a session of another key, before or after it was valid [decision A1]", async () => {
  const verify = createVerifyDpopProof(createVerifyEcdsa());
  assert.equal(await verify(await proofBy(other, "1"), expectedOf(own)), undefined);
  assert.ok(await verify(await proofBy(other, "2"), expectedOf(other)));
  assert.equal(await verify(await proofBy(other, "3"), expectedOf(own)), undefined);
});

test("a header in another spelling is read again, and refused where it names no key for ES256", async () => {
  const verify = createVerifyDpopProof(createVerifyEcdsa());
  const proof = await proofBy(own, "1");
  assert.ok(await verify(proof, expectedOf(own)));
  const [, ...rest] = proof.split(".");
  for (const header of ["{}", '{"typ":"dpop+jwt","alg":"none"}', "null", "[]", "not JSON"]) {
    const text = [Buffer.from(header).toString("base64url"), ...rest].join(".");
    assert.equal(await verify(text, expectedOf(own)), undefined);
  }
});
