import assert from "node:assert/strict";
import { test } from "node:test";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const ROLLBACK =
  "mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) { errors { code } } }";

async function versionsOf(vault: TestVault, owner: string, id: string): Promise<readonly { version: number }[]> {
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 100 });
  return body.data.metaEnvelopeHistory.edges.map((edge: { node: { version: number } }) => edge.node).toReversed();
}

test("no version is ever overwritten, and their numbers only increase: whatever is written later or refused, each reads as it did [V-VER-005] [V-STATE-002] [V-VRS-001]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { n: 0 } });
  const input = (n: number) => ({ ontology: `o${n}`, payload: { n } });
  const writes: readonly [query: string, variables: object, versions: number][] = [
    [DOCUMENTS.update, { id, input: input(1) }, 2],
    [DOCUMENTS.update, { id, input: input(2) }, 3],
    [ROLLBACK, { id, version: 1 }, 4],
    [DOCUMENTS.update, { id, input: { ...input(3), ontology: "" } }, 4],
    [DOCUMENTS.remove, { id }, 5],
    [DOCUMENTS.update, { id, input: input(4) }, 5],
    [ROLLBACK, { id, version: 5 }, 5],
    [ROLLBACK, { id, version: 2 }, 6],
    [DOCUMENTS.remove, { id }, 7],
    [ROLLBACK, { id, version: 6 }, 8],
  ];
  let before = await versionsOf(vault, owner, id);
  for (const [query, variables, count] of writes) {
    await askGraphQL(vault, owner, query, variables);
    const after = await versionsOf(vault, owner, id);
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.map(({ version }) => version),
      Array.from({ length: count }, (_, index) => index + 1),
    );
    before = after;
  }
});

test("a record is active, so that every read has it, or removed, so that none has it [V-STATE-001] [V-SVC-022] [V-SVC-023]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const id = await create(vault, owner, { payload: { text: "here" } });
  const reads = `query ($id: ID!, $text: String!) {
    metaEnvelope(id: $id) { id }
    list: metaEnvelopes { edges { node { id } } totalCount }
    found: metaEnvelopes(filter: { search: { term: $text } }) { edges { node { id } } totalCount }
    findMetaEnvelopesByOntology(ontology: "note") { id }
    searchMetaEnvelopes(ontology: "note", term: $text) { id }
    getAllEnvelopes { id }
  }`;
  const seen = async (): Promise<string> => {
    const { body } = await askGraphQL(vault, owner, reads, { id, text: "here" });
    assert.equal(body.errors, undefined);
    const texts = Object.values(body.data).map((value) => JSON.stringify(value));
    return texts.map((text) => (text.includes(id) ? "active" : "removed")).join();
  };
  const [active, removed] = ["active", "removed"].map((state) => Array(6).fill(state).join());
  assert.equal(await seen(), active);
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
  assert.equal(await seen(), removed);
  await askGraphQL(vault, owner, ROLLBACK, { id, version: 1 });
  assert.equal(await seen(), active);
});

test("whatever is stored, by whichever operation, is a MetaEnvelope of its owner [V-SVC-002]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const iat = Math.floor(Date.now() / 1000);
  const authorization = `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}`;
  const id = await create(vault, owner, { payload: { canary: "one" } });
  const input = { ontology: "note", payload: { canary: "two" } };
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  await askGraphQL(vault, owner, store, { input });
  const bulk =
    "mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }";
  const inputs = [{ ontology: "note", payload: { canary: "three" } }];
  await askGraphQL(vault, owner, bulk, { inputs }, { authorization });
  const value = 'mutation ($envelopeId: String!) { updateEnvelopeValue(envelopeId: $envelopeId, newValue: "four") }';
  await askGraphQL(vault, owner, value, { envelopeId: `${id}.${Buffer.from("canary").toString("base64url")}` });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.list);
  assert.deepEqual(
    body.data.metaEnvelopes.edges.map((edge: { node: { parsed: unknown } }) => edge.node.parsed),
    [{ canary: "four" }, { canary: "two" }, { canary: "three" }],
  );
});
