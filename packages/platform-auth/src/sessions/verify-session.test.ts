import assert from "node:assert/strict";
import { test } from "node:test";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
import { createTestKey } from "../testing/test-key.ts";
import type { CertificateStatus } from "../trust/status-of.ts";
import { pointThumbprint } from "./dpop-proof.ts";
import type { Session } from "./session-store.ts";
import { createVerifySession } from "./verify-session.ts";

const URL = "https://vault.test/graphql";
const STATUS = { uri: "https://authority.test/status/0", idx: 1 };

/** Deployments of platforms, each with a key and a session, at one verifier. */
function begin() {
  const sessions = new Map<string, Session>();
  let nowMs = 1_700_000_000_000;
  let status: CertificateStatus = "valid";
  const verify = createVerifySession(
    {
      clock: { nowMs: () => nowMs },
      sessions: { find: async (token) => sessions.get(token) },
      statusOf: async () => status,
      verifyEcdsa: createVerifyEcdsa(),
      refuse: (message) => new Error(message),
    },
    { requireBinding: false },
  );
  return {
    deploy: (platform: string) => {
      const key = createTestKey("deployment");
      const token = `dss_${sessions.size}`;
      const keyThumbprint = pointThumbprint(decodePublicKey(key.publicKey).point);
      const claim = { platform, issuer: "https://authority.test" } as unknown as Session["claim"];
      sessions.set(token, { audience: "@a", claim, status: STATUS, keyThumbprint, expiresAtMs: Infinity });
      return async (jti: string, again = false, aheadMs = 0) => {
        const input = { method: "POST", url: URL, accessToken: token, jti, nowSeconds: nowMs / 1000 };
        const proof = await writeDpopProof(key, input);
        nowMs += aheadMs;
        return verify("@a", { scheme: "DPoP", token, proof, method: "POST", url: URL, again });
      };
    },
    setStatus: (next: CertificateStatus) => {
      status = next;
    },
  };
}

test("the same id of two keys is two uses, and the uses of all keys of a platform count together [decision V25]", async () => {
  const { deploy } = begin();
  const [one, other] = [deploy("@p"), deploy("@p")];
  await one("1");
  await other("1");
  await assert.rejects(one("1"), /used before/);
});

test("a request that shows its proof again may do so late; a first showing may not [decisions A1, V26]", async () => {
  const show = begin().deploy("@p");
  await show("1");
  await show("1", true, 90_000);
  await assert.rejects(show("2", false, 61_000), /not of the session's key/);
});

test("a session ends with its certificate's revocation, and not because the authority is silent [decision A1]", async () => {
  const { deploy, setStatus } = begin();
  const show = deploy("@p");
  setStatus("unavailable");
  await show("1");
  setStatus("revoked");
  await assert.rejects(show("2"), /revoked/);
});
