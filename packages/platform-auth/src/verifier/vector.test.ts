import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { createGivenKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { LINK_IDS } from "../link-entry.ts";
import { createHandshakeVerifier } from "./handshake-verifier.ts";

const vector = JSON.parse(
  await readFile(path.join(import.meta.dirname, "../../../../vectors/handshake.json"), "utf8"),
).own;
const { challenge, evidence, signature } = vector.request;
const nowMs = Date.parse(vector.clock);

test("the published handshake holds at six links and proves the published claim [S3 Platform authentication] [P-SVC-005] [P-SVC-008] [P-SVC-013] [P-SVC-014] [P-LINK-048]", async () => {
  const registry = await createGivenKeySet(vector.jwks.registry);
  const [issuer] = vector.trustedCertifierIssuers;
  const authority = await createGivenKeySet(vector.jwks[issuer]);
  const verify = createHandshakeVerifier(
    {
      clock: { nowMs: () => nowMs },
      log: { warn: () => assert.fail("a warning"), error: () => assert.fail("an error") },
      redeem: async () => challenge,
      verifyEcdsa: createVerifyEcdsa(),
      trust: {
        verifyRegistryToken: (token) => registry.verify(token),
        verifyIssuerToken: async (_issuer, token) => authority.verify(token),
        findWalletPoints: async (ename) => [decodePublicKey(vector.walletKeys[ename]).point],
        fetchStatusToken: () => assert.fail("a certificate without a status is not checked for one"),
      },
    },
    vector,
  );
  const result = await verify({ audience: challenge.audience, challenge, evidence, signature });
  assert.deepEqual(
    result.links.map(({ id, code }) => [id, code]),
    LINK_IDS.map((id) => [id, "ok"]),
  );
  assert.ok(result.links.every(({ checks, ok }) => ok && checks.every((check) => check.ok)));
  const {
    versionEname,
    environment,
    deployer,
    issuer: by,
    certificateId,
    expiresAt,
    ...claim
  } = result.claim ?? assert.fail();
  assert.deepEqual(claim, vector.expectedClaim);
  assert.deepEqual(
    { versionEname, environment, deployer, by, certificateId, expiresAt },
    {
      versionEname: evidence.versionEname,
      environment: "production",
      deployer: evidence.deployerEname,
      by: issuer,
      certificateId: "cert-vector-1",
      expiresAt: "2026-04-15T13:00:00.000Z",
    },
  );
});
