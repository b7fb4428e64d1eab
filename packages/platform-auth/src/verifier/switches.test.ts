import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import fc from "fast-check";
import { sha256 } from "../testing/sha256.ts";
import { createTestKey } from "../testing/test-key.ts";
import { createTestPlatform } from "../testing/test-platform.ts";
import { createPresenter, createTestClock, createTestTrust } from "../testing/test-trust.ts";
import type { VerifierConfig } from "./handshake-verifier.ts";

const issuer = "https://authority.example";
const nowMs = Date.UTC(2026, 0, 16, 12);
const clock = createTestClock(nowMs);
const platform = await createTestPlatform({ issuer, nowMs });
const other = { ename: parseEName("@66666666-6666-4666-8666-666666666666"), key: platform.author.key };

async function presenter(config: Omit<VerifierConfig, "trustedCertifierIssuers"> = {}, of = platform) {
  const fetch = async () => Response.json(of.authority.jwks);
  const trust = await createTestTrust(of, { clock, fetch, issuer });
  return createPresenter(trust, clock, { trustedCertifierIssuers: [issuer], ...config });
}

test("a deployer whom the submission lists may run the release, and one whom the certificate lists [P-LINK-034]", async () => {
  const attested = { ...(await platform.attest({}, other)), deployerEname: other.ename };
  const perform = await presenter();
  const submissionProof = await platform.submit({ deployers: [other.ename] });
  const rebound = await platform.certify({ submission_sha256: sha256(submissionProof.statementText) });
  const bySubmission = { ...platform.evidence, ...attested, submissionProof, accreditationJws: rebound };
  assert.equal((await perform(platform, bySubmission)).ok, true);
  const listing = await platform.certify({ deployers: [other.ename] });
  const byCertificate = { ...platform.evidence, ...attested, accreditationJws: listing };
  assert.equal((await perform(platform, byCertificate)).ok, true);
  const byNobody = { ...platform.evidence, ...attested };
  const { links } = await perform(platform, byNobody);
  assert.deepEqual(
    links.filter(({ ok }) => !ok).map(({ code }) => code),
    ["deployer_not_authorised"],
  );
  const lenient = await presenter({ allowUnlistedDeployers: true });
  assert.equal((await lenient(platform, byNobody)).ok, true);
});

test("a certificate that names no submission counts only where unbound certificates do [P-DEC-021] [P-LINK-043]", async () => {
  const unbound = await platform.certify({ submission_sha256: undefined, submitter: undefined });
  const evidence = { ...platform.evidence, accreditationJws: unbound };
  const { links } = await (await presenter())(platform, evidence);
  assert.equal(links.at(-1)?.code, "certificate_other_submission");
  const lenient = await presenter({ allowUnboundCertificates: true });
  assert.equal((await lenient(platform, evidence)).ok, true);
  const named = await platform.certify({ submission_sha256: undefined, submitter: other.ename });
  assert.equal((await lenient(platform, { ...platform.evidence, accreditationJws: named })).ok, false);
});

test("evidence without attestationBundle takes it from the key document, and a statement without its text is read in either order [P-RES-061]", async () => {
  const perform = await presenter();
  const { attestationBundle: _bundle, ...lifted } = platform.evidence;
  assert.equal((await perform(platform, lifted)).ok, true);
  const { statementText: _text, statement, ...proof } = platform.evidence.submissionProof;
  for (const order of [statement, Object.fromEntries(Object.entries(statement).reverse())]) {
    const evidence = { ...platform.evidence, submissionProof: { ...proof, statement: order } };
    assert.equal((await perform(platform, evidence)).ok, true);
  }
});

test("eNames count in any spelling, keys in any encoding, and versions byte for byte [P-LINK-006]", async () => {
  const perform = await presenter();
  const { platformEname, versionEname, deploymentEname } = platform.evidence;
  const spelt = {
    ...platform.evidence,
    platformEname: platformEname.toUpperCase(),
    versionEname: versionEname.slice(1),
    deploymentEname: ` ${deploymentEname}`,
    issuerJwksUri: "https://attacker.example/jwks",
    unknownMember: { any: "thing" },
  };
  const { ok, claim } = await perform(platform, spelt);
  assert.deepEqual([ok, claim?.platform, claim?.versionEname], [true, platformEname, versionEname]);
});

test("the claim's domains are always granted and asked for, in the certificate's order; none is legal [P-SVC-013] [P-SVC-014] [P-LINK-053] [P-LIM-004]", async () => {
  const domain = fc.constantFrom("social", "communication", "finance", "work", "files", "identity");
  const domains = fc.uniqueArray(domain, { maxLength: 6 });
  const [authority, registry] = [createTestKey("authority-1"), createTestKey("registry-1")];
  await fc.assert(
    fc.asyncProperty(domains, domains, async (granted, requested) => {
      const made = await createTestPlatform({ issuer, nowMs, granted, requested, authority, registry });
      const { ok, claim } = await (await presenter({}, made))(made);
      assert.equal(ok, true);
      assert.deepEqual(
        claim?.domains,
        granted.filter((name) => requested.includes(name)),
      );
    }),
    { numRuns: 60 },
  );
});
