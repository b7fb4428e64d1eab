import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askGraphQL } from "./support/ask.ts";
import { self, sendDocument } from "./support/binding-documents.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { createPerson, platformHeaders } from "./support/people.ts";
import { startRegistryStub } from "./support/start-registry-stub.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const UPDATE = `mutation ($id: ID!, $input: MetaEnvelopeInput!) {
  updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { id } } }`;

async function countOf(vault: TestVault, condition: string): Promise<number> {
  return (await vault.database.query({ text: `select 1 from ${condition}`, values: [] })).rows.length;
}

/** A registry that does not answer which keys are certified before the test says so. */
async function startHangingRegistry() {
  const stub = await startRegistryStub();
  let asked = 0;
  const given = Promise.withResolvers<never[]>();
  return {
    ...stub,
    partFor: (clock: Parameters<typeof stub.partFor>[0]) => ({
      ...stub.partFor(clock),
      findCertifiedKeys: () => {
        asked += 1;
        return given.promise;
      },
    }),
    asked: () => asked,
    answer: () => given.resolve([]),
  };
}

test("a keyed refusal that depends on missing facts is 503 TRY_AGAIN and is not stored: the same key works later [decision V26]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, reader] = [await createPerson(vault), await createPerson(vault)];
  const grants = [{ ename: reader.ename, perms: 15 }];
  const input = { ontology: "note", payload: { a: 1 }, _acl: { grants, denials: { enames: [`@${randomUUID()}`] } } };
  // What the registry answers is remembered, so it must not answer before the update.
  vault.registry.down = true;
  const made = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await owner.at(owner.ename));
  const { id } = made.body.data.createMetaEnvelope.metaEnvelope;
  const update = async () =>
    askGraphQL(
      vault,
      owner.ename,
      UPDATE,
      { id, input: { ontology: "note", payload: { b: 2 } } },
      await reader.at(owner.ename, { "idempotency-key": "k" }),
    );
  const refused = await update();
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.headers.get("retry-after")],
    [503, "TRY_AGAIN", "1"],
  );
  assert.equal(await countOf(vault, "idempotent_answer"), 0);
  vault.registry.down = false;
  const done = await update();
  assert.deepEqual([done.status, done.body.data.updateMetaEnvelope.metaEnvelope.id], [200, id]);
  assert.deepEqual((await update()).body, done.body);
});

test("a fault is not kept for its key, also where the document does not select its code [decision V26]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  vault.registry.down = true;
  const input = {
    ...self(person),
    ownerSignature: { signer: person.ename, signature: "z".repeat(80), timestamp: "2026-02-03T04:05:06.789Z" },
  };
  const document = `mutation ($input: CreateBindingDocumentInput!) { createBindingDocument(input: $input) { metaEnvelopeId } }`;
  const headers = { "idempotency-key": "k" };
  const { status } = await askGraphQL(vault, person.ename, document, { input }, headers);
  assert.equal(status, 503);
  assert.equal(await countOf(vault, "idempotent_answer"), 0);
});

test("while keyed requests of one caller wait for a registry that hangs, no transaction is open and other keyed writes go on [decision V26]", async () => {
  await using registry = await startHangingRegistry();
  await using vault = await startVault({}, { registry });
  const people = await Promise.all(Array.from({ length: 8 }, () => createPerson(vault)));
  const hanging = people.map((person, n) => {
    const sent = { owner: person.ename, saying: self(person), signer: person };
    return sendDocument(vault, sent, { "idempotency-key": `k${n}`, ...platformHeaders(vault) });
  });
  while (registry.asked() < people.length) await sleep(10);
  const open = "pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
  assert.equal(await countOf(vault, open), 0);
  const other = await vault.createOwner();
  const written = await askGraphQL(
    vault,
    other,
    DOCUMENTS.create,
    { input: { ontology: "o", payload: {} } },
    { "idempotency-key": "other" },
  );
  assert.deepEqual(written.body.data.createMetaEnvelope.errors, []);
  await create(vault, people[0]?.ename as string, { payload: { same: "owner" } });
  registry.answer();
  for (const answer of await Promise.all(hanging)) assert.equal(answer.status, 200);
});
