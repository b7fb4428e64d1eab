import assert from "node:assert/strict";
import { test } from "node:test";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { createOwner } from "../create-owner.ts";
import { ask } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };

function certifiedKey(certificate: string): unknown {
  return JSON.parse(Buffer.from(certificate.split(".")[1] ?? "", "base64url").toString()).publicKey;
}

test("PATCH /public-key adds a second device's key, both are certified, and each may speak for the owner (S1 Public keys, decision I6)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const [phone, tablet] = await Promise.all([createWalletKey(), createWalletKey()]);
  const owner = await createOwner(space, phone.publicKey);
  const token = await issueWalletToken({ key: phone, clock }, { ename: owner, audience: owner });

  const url = `${space.vaultUrl}/public-key`;
  const body = { publicKey: tablet.publicKey };
  assert.equal((await ask(url, { owner }, { method: "PATCH", body })).status, 401);
  assert.equal((await ask(url, { owner, token }, { method: "PATCH", body })).status, 200);

  const { body: whois } = await ask<{ keyBindingCertificates: string[] }>(`${space.vaultUrl}/whois`, { owner });
  assert.deepEqual(whois.keyBindingCertificates.map(certifiedKey), [phone.publicKey, tablet.publicKey]);

  const byTablet = await issueWalletToken({ key: tablet, clock }, { ename: owner, audience: owner });
  const listed = await ask<{ data: object }>(
    `${space.vaultUrl}/graphql`,
    { owner, token: byTablet },
    { method: "POST", body: { query: "{ metaEnvelopes { totalCount } }" } },
  );
  assert.deepEqual(listed.body.data, { metaEnvelopes: { totalCount: 0 } });
});
