import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { type Answer, ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const RECORD = "id ontology parsed envelopes { id ontology fieldKey value valueType }";
const ENVELOPES = "id ontology fieldKey value valueType";
const INPUT = { ontology: "note", payload: { text: "changed" } };

/** Every operation that names a record, with all that it can answer. */
const BY_ID: Readonly<Record<string, string>> = {
  metaEnvelope: `query ($id: ID!) { metaEnvelope(id: $id) { ${RECORD} } }`,
  metaEnvelopeHistory: DOCUMENTS.history,
  getMetaEnvelopeById: `query ($id: String!) { getMetaEnvelopeById(id: $id) { ${RECORD} } }`,
  updateMetaEnvelope: `mutation ($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { ${RECORD} } errors { field message code } } }`,
  updateMetaEnvelopeById: `mutation ($id: String!, $input: MetaEnvelopeInput!) { updateMetaEnvelopeById(id: $id, input: $input) { metaEnvelope { ${RECORD} } envelopes { ${ENVELOPES} } } }`,
  updateEnvelopeValue:
    'mutation ($envelopeId: String!) { updateEnvelopeValue(envelopeId: $envelopeId, newValue: "x") }',
  rollbackMetaEnvelope: `mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { metaEnvelope { ${RECORD} } version restoredFromVersion errors { field message code } } }`,
  removeMetaEnvelope:
    "mutation ($id: ID!) { removeMetaEnvelope(id: $id) { deletedId success errors { field message code } } }",
  deleteMetaEnvelope: "mutation ($id: String!) { deleteMetaEnvelope(id: $id) }",
};
const LISTS: Readonly<Record<string, string>> = {
  metaEnvelopes: `{ metaEnvelopes { edges { cursor node { ${RECORD} } } pageInfo { startCursor endCursor } totalCount } }`,
  search: `{ metaEnvelopes(filter: { ontologyId: "note", search: { term: "same" } }) { edges { node { ${RECORD} } } totalCount } }`,
  findMetaEnvelopesByOntology: `{ findMetaEnvelopesByOntology(ontology: "note") { ${RECORD} } }`,
  searchMetaEnvelopes: `{ searchMetaEnvelopes(ontology: "note", term: "same") { ${RECORD} } }`,
  getAllEnvelopes: `{ getAllEnvelopes { ${ENVELOPES} } }`,
};
const envelopeOf = (id: string): string => `${id}.${Buffer.from("text").toString("base64url")}`;

async function ownerWithWallet(vault: TestVault) {
  const key = await createWalletKey();
  const ename = await vault.createOwner(key.publicKey);
  const headers = async (audience: string) => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename, audience })}`,
  });
  return { ename, headers };
}

/** What an owner has, as the tables hold it. */
async function possessions(vault: TestVault, owner: string): Promise<unknown> {
  const { rows } = await vault.database.query({
    text: `select (select json_agg(m order by id) from meta_envelope m where owner = $1) as records,
      (select json_agg(c order by log_id) from change c where owner = $1) as changes,
      (select count(*)::int from change_event where owner = $1) as events`,
    values: [owner],
  });
  return rows[0];
}

test("[T-22] two owners with the same ids, fields and words meet nothing of each other's by any operation [V-SVC-020] [V-SVC-021]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [mine, theirs] = [await ownerWithWallet(vault), await ownerWithWallet(vault)];
  const bulk =
    "mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }";
  for (const { ename, headers } of [mine, theirs]) {
    const inputs = ["one", "two", "three"].map((id) => ({
      id,
      ontology: "note",
      payload: { text: "same", of: ename },
    }));
    await askGraphQL(vault, ename, bulk, { inputs }, await headers(ename));
  }
  const untouched = await possessions(vault, theirs.ename);
  const asked = async (query: string, id: string): Promise<Answer> => {
    const variables = { id, envelopeId: envelopeOf(id), input: INPUT };
    return askGraphQL(vault, mine.ename, query, variables, await mine.headers(mine.ename));
  };
  const answers = [];
  for (const query of Object.values(BY_ID)) for (const id of ["one", "two"]) answers.push(await asked(query, id));
  for (const query of Object.values(LISTS)) answers.push(await asked(query, "three"));
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    assert.ok(!JSON.stringify(body).includes(theirs.ename), JSON.stringify(body));
  }
  const list = async (as: typeof mine) =>
    (await askGraphQL(vault, as.ename, DOCUMENTS.list, { first: 1 }, await as.headers(as.ename))).body.data
      .metaEnvelopes;
  const cursor = (await list(theirs)).pageInfo.endCursor;
  const foreign = await askGraphQL(
    vault,
    mine.ename,
    DOCUMENTS.list,
    { after: cursor },
    await mine.headers(mine.ename),
  );
  assert.equal(foreign.body.errors[0].extensions.code, "BAD_CURSOR");
  const logs = await ask(vault, "/logs", { headers: { "x-ename": mine.ename, ...(await mine.headers(mine.ename)) } });
  assert.ok(logs.body.logs.every(({ eName }: { eName: string }) => eName === mine.ename));
  // The same, asked at the other's own vault by a stranger with a good token.
  for (const query of [...Object.values(BY_ID), ...Object.values(LISTS)]) {
    const variables = { id: "one", envelopeId: envelopeOf("one"), input: INPUT };
    const { body } = await askGraphQL(vault, theirs.ename, query, variables, await mine.headers(theirs.ename));
    assert.ok(!JSON.stringify(body).includes("same"), JSON.stringify(body));
  }
  assert.deepEqual(await possessions(vault, theirs.ename), untouched);
});

test("[T-24] what a caller may not read answers every operation byte for byte as what is not there [V-DEC-580] [V-DEC-582] [V-DEC-589]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, person] = [await ownerWithWallet(vault), await ownerWithWallet(vault)];
  const made = { input: { ontology: "note", payload: { text: "hidden" } } };
  const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.create, made, await owner.headers(owner.ename));
  const hidden: string = body.data.createMetaEnvelope.metaEnvelope.id;
  const absent = randomUUID();
  for (const [operation, query] of Object.entries(BY_ID)) {
    const answer = async (id: string): Promise<string> => {
      const variables = { id, envelopeId: envelopeOf(id), input: INPUT };
      const got = await askGraphQL(vault, owner.ename, query, variables, await person.headers(owner.ename));
      return `${got.status} ${JSON.stringify(got.body).replaceAll(id, "<id>")}`;
    };
    assert.equal(await answer(hidden), await answer(absent), operation);
  }
});

test("[T-25] no answer of any operation, no log entry and no event has a member acl, and nothing removed comes back [V-ME-005] [V-GUARD-009]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const acl = ["*", owner];
  const removed = await create(vault, owner, { payload: { text: "same", gone: "REMOVED" }, acl });
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: removed });
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      assert.notEqual(key, "acl", path);
      walk(item, `${path}.${key}`);
    }
  };
  const answers: [string, unknown][] = [];
  for (const [operation, query] of Object.entries({ ...LISTS, ...BY_ID })) {
    const id = await create(vault, owner, { payload: { text: "same" }, acl });
    const variables = { id, envelopeId: envelopeOf(id), input: { ...INPUT, acl } };
    const { body } = await askGraphQL(vault, owner, query, variables);
    assert.equal(body.errors, undefined, operation);
    assert.ok(!JSON.stringify(body).includes("REMOVED"), operation);
    answers.push([operation, body]);
  }
  answers.push(["/logs", (await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner } })).body]);
  const events = await vault.database.query<{ body: string }>({ text: "select body from change_event", values: [] });
  for (const { body } of events.rows) answers.push(["event", JSON.parse(body)]);
  for (const [operation, body] of answers) walk(body, operation);
});
