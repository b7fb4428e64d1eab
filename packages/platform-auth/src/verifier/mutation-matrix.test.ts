import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import { LINK_IDS } from "../link-entry.ts";
import { certificateMutations } from "../testing/matrix/certificate-mutations.ts";
import { challengeMutations } from "../testing/matrix/challenge-mutations.ts";
import { impersonations } from "../testing/matrix/impersonations.ts";
import { memberMutations } from "../testing/matrix/member-mutations.ts";
import { asJson, expectedCodes, type Mutation, type Presented, type Stage } from "../testing/matrix/mutation.ts";
import { signedMutations } from "../testing/matrix/signed-mutations.ts";
import { createTestPlatform } from "../testing/test-platform.ts";
import { startTestVerifier, type TestVerifier } from "../testing/test-verifier.ts";

const nowMs = Date.UTC(2026, 0, 16, 12);
const OWNER = "@44444444-4444-4444-8444-444444444444";
const mutations = [
  ...memberMutations,
  ...signedMutations,
  ...certificateMutations,
  ...challengeMutations,
  ...impersonations,
];

let verifier: TestVerifier;
let stage: Stage;
before(async () => {
  verifier = await startTestVerifier({ nowMs });
  const { origin, attackerOrigin, parties } = verifier;
  const platform = await createTestPlatform({ ...parties, issuer: origin, nowMs });
  const author = { ename: parseEName("@66666666-6666-4666-8666-666666666666"), key: parties.attackerKey };
  const theirs = await createTestPlatform({
    issuer: attackerOrigin,
    nowMs,
    registry: parties.registry,
    author,
    platform: "@77777777-7777-4777-8777-777777777777",
  });
  verifier.certifyWallet(platform.author);
  verifier.certifyWallet(author);
  const registry = (await createTestPlatform({ issuer: attackerOrigin, nowMs })).bindKey;
  stage = { platform, attacker: { platform: { ...theirs, bindKey: registry }, origin: attackerOrigin }, origin, nowMs };
});
after(() => verifier[Symbol.asyncDispose]());

async function present([, , change]: Mutation) {
  const { platform } = stage;
  const challenge = verifier.issue(OWNER);
  const presented: Presented = {
    evidence: { ...asJson(platform.evidence), issuerJwksUri: `${stage.attacker.origin}/.well-known/jwks.json` },
    challenge: { ...challenge },
    signature: await platform.deploymentKey.signText(await handshakePayload(challenge)),
    audience: OWNER,
  };
  await change(presented, stage);
  return verifier.verify(presented);
}

test("unchanged evidence holds, in JSON of any member order [P-LINK-050]", async () => {
  const result = await present(["nothing", "", () => undefined]);
  assert.deepEqual(
    result.links.map(({ code }) => code),
    expectedCodes(""),
  );
  assert.deepEqual(result.claim?.domains, ["social", "communication"]);
});

test("there are at least 120 mutations, each of its own name", () => {
  assert.ok(mutations.length >= 120, `${mutations.length}`);
  assert.equal(new Set(mutations.map(([name]) => name)).size, mutations.length);
});

for (const mutation of mutations) {
  test(`${mutation[0]}: fails ${mutation[1]} and nothing else [P-SVC-006] [P-SVC-007] [P-ERR-002]`, async () => {
    const contactsBefore = verifier.attackerContacts();
    const { ok, links, claim, failedAt } = await present(mutation);
    assert.deepEqual(
      links.map(({ id }) => id),
      LINK_IDS,
    );
    assert.deepEqual(
      links.map(({ code }) => code),
      expectedCodes(mutation[1]),
    );
    const first = links.find((link) => !link.ok);
    assert.deepEqual({ ok, claim, failedAt }, { ok: false, claim: null, failedAt: first?.id });
    for (const link of links)
      assert.equal(
        link.ok,
        link.checks.every((check) => check.ok),
      );
    assert.equal(verifier.attackerContacts(), contactsBefore, "the attacker's server was asked");
  });
}
