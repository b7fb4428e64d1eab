import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { ACCESS_POLICY_ONTOLOGY, ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import { signedReadingText } from "@dataspace/protocol/signed-reading";
import { systemClock } from "@dataspace/service-kit/clock";
import { signText } from "@dataspace/wallet/sign-text";
import { askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { sendPolicy, setPolicy, signPolicy } from "./support/owner-policies.ts";
import { createPerson, type Person, platformHeaders, platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const CODE = "INVALID_ACCESS_POLICY";
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } errors { code } } }`;
const ROLLBACK = `mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) {
  version errors { field message code } } }`;
const inMs = (ms: number) => ({ nowMs: () => systemClock.nowMs() + ms });

async function levelInForce(vault: TestVault, owner: Person): Promise<string | undefined> {
  const { rows } = await vault.database.query<{ policy: string }>({
    text: "select policy from owner_policy where owner = $1",
    values: [owner.ename],
  });
  return rows[0] && JSON.parse(rows[0].policy).statement.minimumLevel;
}

test("a policy that the owner did not sign, or that was altered, is refused and nothing is written [P-OAP-001] [P-OAP-002] [P-OAP-003] [P-OAP-008]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, other] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const policy = await signPolicy(owner, {});
  const stranger = { ...owner, key: other.key };
  const altered: readonly unknown[] = [
    {},
    await signPolicy(other, {}),
    await signPolicy(stranger, {}),
    { ...policy, statement: { ...policy.statement, minimumLevel: "L0" } },
    { ...policy, statement: { ...policy.statement, more: true } },
    { ...policy, more: true },
    { ...policy, signature: other.ename },
    { ...policy, signer: other.ename },
    await signPolicy(owner, {}, inMs(90_000)),
  ];
  for (const [index, payload] of altered.entries()) {
    const { code, field } = refusalOf(await sendPolicy(vault, owner, payload));
    assert.equal(code, CODE, String(index));
    assert.match(field ?? "", /^payload/);
  }
  for (const headers of [platformHeaders(vault), platformSession(vault, owner.ename), await other.at(owner.ename)]) {
    const { code } = refusalOf(await sendPolicy(vault, owner, policy, headers));
    assert.ok(["FORBIDDEN"].includes(code), code);
  }
  assert.equal(await levelInForce(vault, owner), undefined);
  const list = await askGraphQL(vault, owner.ename, DOCUMENTS.list, {}, await owner.at(owner.ename));
  assert.equal(list.body.data.metaEnvelopes.totalCount, 0);
});

test("the policy issued last is in force, an older or equal one is refused, and all are readable [P-OAP-004]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, other] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const lax = await signPolicy(owner, { minimumLevel: "L0" }, inMs(-10_000));
  const strict = await signPolicy(owner, { minimumLevel: "L5" }, inMs(-5_000));
  for (const policy of [lax, strict]) {
    assert.deepEqual((await sendPolicy(vault, owner, policy)).body.data.createMetaEnvelope.errors, []);
  }
  for (const replayed of [lax, strict]) assert.equal(refusalOf(await sendPolicy(vault, owner, replayed)).code, CODE);
  assert.equal(await levelInForce(vault, owner), "L5");
  const filter = { ontologyId: ACCESS_POLICY_ONTOLOGY };
  const { edges } = (await askGraphQL(vault, owner.ename, DOCUMENTS.list, { filter }, await other.at(owner.ename))).body
    .data.metaEnvelopes;
  const levels = edges.map((edge: { node: { parsed: typeof lax } }) => edge.node.parsed.statement.minimumLevel);
  assert.deepEqual(levels, ["L0", "L5"]);
});

test("of many policies sent at once the one issued last is in force [P-OAP-004]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const levels = ["L0", "L1", "L2", "L3", "L4", "L5"] as const;
  const policies = await Promise.all(
    levels.map((minimumLevel, index) => signPolicy(owner, { minimumLevel }, inMs(index - 1_000))),
  );
  const shuffled = [3, 5, 0, 4, 1, 2].map((index) => policies[index]);
  await Promise.all(shuffled.map((policy) => sendPolicy(vault, owner, policy)));
  assert.equal(await levelInForce(vault, owner), "L5");
});

test("a policy is not updated, rolled back, removed, created in bulk, or made of another record [P-OAP-005]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const at = async (document: string, variables: object) =>
    askGraphQL(vault, owner.ename, document, variables, await owner.at(owner.ename));
  const strict = await signPolicy(owner, { minimumLevel: "L5" });
  const { id, envelopes } = (await sendPolicy(vault, owner, strict)).body.data.createMetaEnvelope.metaEnvelope;
  const laxer = await signPolicy(owner, { minimumLevel: "L0" }, inMs(1_000));
  const input = { ontology: ACCESS_POLICY_ONTOLOGY, payload: laxer };
  assert.equal(refusalOf(await at(DOCUMENTS.update, { id, input })).code, CODE);
  const asPost = { ontology: ONTOLOGY_ID.SocialMediaPost, payload: {} };
  assert.equal(refusalOf(await at(DOCUMENTS.update, { id, input: asPost })).code, CODE);
  assert.equal(refusalOf(await at(ROLLBACK, { id, version: 1 })).code, CODE);
  assert.equal(refusalOf(await at(DOCUMENTS.remove, { id })).code, CODE);
  const bulk = (await at(BULK, { inputs: [input] })).body.data.bulkCreateMetaEnvelopes;
  assert.match(bulk.results[0].error, /^INVALID_ACCESS_POLICY: /);
  const value = `mutation { updateEnvelopeValue(envelopeId: "${envelopes[0].id}", newValue: "x") }`;
  assert.equal((await at(value, {})).body.errors[0].extensions.code, CODE);
  const note = (await at(DOCUMENTS.create, { input: { ontology: "note", payload: {} } })).body.data.createMetaEnvelope;
  assert.equal(refusalOf(await at(DOCUMENTS.update, { id: note.metaEnvelope.id, input })).code, CODE);
  assert.equal(await levelInForce(vault, owner), "L5");
});

test("a required reputation must come from the owner's engine, signed and fresh, and be enough [P-OAP-009]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, engine, platform, other] = await Promise.all([1, 2, 3, 4].map(() => createPerson(vault)));
  assert.ok(owner && engine && platform && other);
  const session = platformSession(vault, owner.ename, { platform: platform.ename });
  await setPolicy(vault, owner, { reputationEngine: engine.ename, minimumReputation: 40 });
  const codeNow = async () => {
    const input = { ontology: ONTOLOGY_ID.SocialMediaPost, payload: {} };
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, session);
    return body.data.createMetaEnvelope.errors[0]?.code;
  };
  const state = async (score: number, { by = engine, agedMs = 0, subject = platform } = {}) => {
    const [issuedAt, expiresAt] = [-agedMs, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const statement = {
      type: "ds.signed-reading",
      schemaVersion: 1,
      subject: subject.ename,
      ontology: engine.ename,
      data: { score },
      issuedAt: issuedAt as string,
      expiresAt: expiresAt as string,
    } as const;
    const signature = await signText(by.key, await signedReadingText(statement));
    const input = { ontology: engine.ename, payload: { statement, signature, signer: by.ename }, acl: ["*"] };
    const headers = await platform.at(platform.ename);
    const { body } = await askGraphQL(vault, platform.ename, DOCUMENTS.create, { input }, headers);
    assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  };
  assert.equal(await codeNow(), "REPUTATION_ENGINE_NOT_ACCEPTED");
  await state(90, { by: other });
  assert.equal(await codeNow(), "REPUTATION_ENGINE_NOT_ACCEPTED");
  await state(90, { agedMs: 86_500_000 });
  assert.equal(await codeNow(), "REPUTATION_ENGINE_NOT_ACCEPTED");
  await state(90, { subject: other });
  assert.equal(await codeNow(), "REPUTATION_ENGINE_NOT_ACCEPTED");
  await state(39);
  assert.equal(await codeNow(), "REPUTATION_BELOW_POLICY");
  await state(40);
  assert.equal(await codeNow(), undefined);
});

test("a retry of a policy with an Idempotency-Key answers as before and changes nothing [decision V20]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const policy = await signPolicy(owner, { minimumLevel: "L4" });
  const key = { "idempotency-key": randomUUID() };
  const first = await sendPolicy(vault, owner, policy, await owner.at(owner.ename, key));
  assert.deepEqual(first.body.data.createMetaEnvelope.errors, []);
  const again = await sendPolicy(vault, owner, policy, await owner.at(owner.ename, key));
  assert.deepEqual(again.body, first.body);
  assert.equal(await levelInForce(vault, owner), "L4");
  assert.equal(DEFAULT_OWNER_TERMS.minimumLevel, "L2");
});
