import assert from "node:assert/strict";
import { test } from "node:test";
import { issueStatusList } from "../status/issue-status-list.ts";
import { createTestPlatform } from "../testing/test-platform.ts";
import { createPresenter, createTestClock } from "../testing/test-trust.ts";
import { createGivenTrust } from "../trust/given-trust.ts";

const issuer = "https://authority.example";
const uri = `${issuer}/status/1`;
const nowMs = Date.UTC(2026, 0, 16, 12);
const platform = await createTestPlatform({ issuer, nowMs, status: { idx: 3, uri } });
const clock = createTestClock(nowMs);
const given = { registry: platform.registry.jwks, issuers: { [issuer]: platform.authority.jwks } };
const config = { trustedCertifierIssuers: [issuer] };
const list = { issuer, uri, size: 64, issuedAtSeconds: nowMs / 1000 - 3_600 };

async function stapled(revoked: readonly number[] = []) {
  const { ename, key } = platform.author;
  return {
    ...platform.evidence,
    statusToken: await issueStatusList(platform.authority, { ...list, revoked }),
    keyBindingCertificates: [await platform.bindKey(ename, key.publicKey, nowMs - 1_800_000)],
  };
}

test("with given keys and stapled facts a handshake holds without any question to the network [decision A1]", async () => {
  const perform = createPresenter(await createGivenTrust({ clock }, given), clock, config);
  const { ok, claim } = await perform(platform, await stapled());
  assert.equal(ok, true);
  assert.deepEqual(claim?.domains, ["social", "communication"]);
});

test("offline, what is not stapled fails its own link: the wallet's key, the status, the issuer [P-LINK-050]", async () => {
  const whole = await stapled();
  const { ename, key } = platform.author;
  const cases = [
    [{ ...whole, keyBindingCertificates: [] }, "deployment-authorised:wallet_key_unavailable"],
    [
      { ...whole, keyBindingCertificates: [await platform.bindKey(ename, key.publicKey, nowMs - 7_200_000)] },
      "deployment-authorised:wallet_key_unavailable",
    ],
    [
      { ...whole, keyBindingCertificates: [await platform.bindKey(ename, platform.deploymentKey.publicKey)] },
      "deployment-authorised:signature_invalid",
    ],
    [{ ...whole, statusToken: undefined }, "accreditation:status_unavailable"],
    [await stapled([3]), "accreditation:certificate_revoked"],
  ] as const;
  for (const [evidence, expected] of cases) {
    const perform = createPresenter(await createGivenTrust({ clock }, given), clock, config);
    const { links } = await perform(platform, evidence);
    const failed = links.filter(({ ok }) => !ok).map(({ id, code }) => `${id}:${code}`);
    assert.deepEqual(failed, [expected]);
  }
  const without = createPresenter(await createGivenTrust({ clock }, { ...given, issuers: {} }), clock, config);
  assert.equal((await without(platform, whole)).links.at(-1)?.code, "issuer_keys_unavailable");
});
