import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { type Answer, ask, askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

type Headers = Readonly<Record<string, string>>;

/** Somebody with a vault and a wallet of their own, and fresh headers by which they speak to another's vault. */
async function personWith(vault: TestVault, audience: string) {
  const key = await createWalletKey();
  const ename = await vault.createOwner(key.publicKey);
  const headers = async (): Promise<Headers> => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename, audience })}`,
  });
  return { ename, headers };
}

const platform = (vault: TestVault): Headers => {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}` };
};

/** What came of an operation: "done", "nothing" where a read found nothing, or the code of its refusal. */
function outcomeOf({ status, body }: Answer): string {
  assert.equal(status, 200, JSON.stringify(body));
  if (body.errors !== undefined) return body.errors[0].extensions.code;
  const [result] = Object.values(body.data) as [{ errors?: { code: string }[]; totalCount?: number } | null];
  if (result?.errors?.[0] !== undefined) return result.errors[0].code;
  return result === null || result.totalCount === 0 ? "nothing" : "done";
}

const INPUT = { ontology: "note", payload: { a: 2 } };
const READS: Readonly<Record<string, string>> = {
  metaEnvelope: "query ($id: ID!) { metaEnvelope(id: $id) { id } }",
  metaEnvelopeHistory: "query ($id: ID!) { metaEnvelopeHistory(id: $id) { totalCount } }",
  getMetaEnvelopeById: "query ($id: String!) { getMetaEnvelopeById(id: $id) { id } }",
};
const ROLLBACK = "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { errors { code } } }";
const WRITES: Readonly<Record<string, string>> = {
  updateMetaEnvelope:
    "mutation ($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { errors { code } } }",
  updateMetaEnvelopeById:
    "mutation ($id: String!, $input: MetaEnvelopeInput!) { updateMetaEnvelopeById(id: $id, input: $input) { metaEnvelope { id } } }",
  updateEnvelopeValue: "mutation ($envelopeId: String!) { updateEnvelopeValue(envelopeId: $envelopeId, newValue: 3) }",
  rollbackMetaEnvelope: ROLLBACK,
  removeMetaEnvelope: "mutation ($id: ID!) { removeMetaEnvelope(id: $id) { errors { code } } }",
  deleteMetaEnvelope: "mutation ($id: String!) { deleteMetaEnvelope(id: $id) }",
};

test("every operation on a record asks for the permission it needs: who may not read finds nothing, who may only read writes nothing, who is listed does all [V-GUARD-001] [V-GUARD-002] [V-GUARD-004] [V-GUARD-005] [V-STATE-008] [V-STATE-012] [V-STATE-018] [V-MUT-007] [V-DEC-581] [V-DEC-582]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const arrays = { private: [owner], public: ["*"], listed: [person.ename] };
  const expected = {
    private: { read: "nothing", write: "NOT_FOUND" },
    public: { read: "done", write: "FORBIDDEN" },
    listed: { read: "done", write: "done" },
  };
  for (const [name, acl] of Object.entries(arrays)) {
    const { read, write } = expected[name as keyof typeof expected];
    for (const [operation, query] of Object.entries({ ...READS, ...WRITES })) {
      const id = await create(vault, owner, { payload: { a: 1 }, acl });
      const variables = { id, envelopeId: `${id}.YQ`, input: INPUT };
      const outcome = outcomeOf(await askGraphQL(vault, owner, query, variables, await person.headers()));
      assert.equal(outcome, operation in READS ? read : write, `${operation} of a ${name} record`);
    }
  }
});

test("a creation asks for CREATE: the owner and a platform may, another person may not, by none of the operations [V-GUARD-003] [V-STATE-003] [V-STATE-004] [V-DEC-562]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const createOne = "mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { errors { code } } }";
  const bulk =
    "mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { results { error } } }";
  const outcomes = async (headers: () => Promise<Headers> | Headers) => [
    outcomeOf(await askGraphQL(vault, owner, createOne, { input: INPUT }, await headers())),
    (
      await askGraphQL(vault, owner, bulk, { inputs: [INPUT] }, await headers())
    ).body.data.bulkCreateMetaEnvelopes.results[0].error?.split(":")[0] ?? "done",
  ];
  assert.deepEqual(await outcomes(person.headers), ["FORBIDDEN", "FORBIDDEN"]);
  assert.deepEqual(await outcomes(() => platform(vault)), ["done", "done"]);
  assert.equal(outcomeOf(await askGraphQL(vault, owner, createOne, { input: INPUT })), "done");
});

test("X-ON-BEHALF-OF is recorded and gives no right: naming the owner opens nothing, and nothing is proven by it [V-VER-015] [V-DEC-203] [T-27]", async () => {
  await using vault = await startVault({ legacyTokens: "read-only" });
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const id = await create(vault, owner, { payload: { a: 1 } });
  const variables = { id, input: INPUT };
  for (const headers of [await person.headers(), platform(vault)]) {
    const named = { ...headers, "x-on-behalf-of": owner };
    const outcome = outcomeOf(await askGraphQL(vault, owner, DOCUMENTS.update, variables, named));
    assert.match(outcome, /^(?:NOT_FOUND|FORBIDDEN)$/);
  }
  await askGraphQL(vault, owner, DOCUMENTS.update, variables, { "x-on-behalf-of": person.ename });
  const { rows } = await vault.database.query({
    text: "select author, subject, credential from change where version = 2",
    values: [],
  });
  assert.deepEqual(rows, [{ author: person.ename, subject: null, credential: "asserted" }]);
});

test("the array that a removed record last carried decides who reads its history, who may bring it back, and who may use it then [V-STATE-016] [V-STATE-027] [T-28]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const remaining = async (first: readonly string[], last: readonly string[]) => {
    const id = await create(vault, owner, { payload: { a: 1 }, acl: first });
    await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ...INPUT, acl: last } });
    await askGraphQL(vault, owner, DOCUMENTS.remove, { id });
    const asked = async (query: string) =>
      outcomeOf(await askGraphQL(vault, owner, query, { id }, await person.headers()));
    const outcomes = [await asked(READS["metaEnvelopeHistory"]!), await asked(ROLLBACK)];
    await askGraphQL(vault, owner, ROLLBACK, { id });
    return [...outcomes, await asked(READS["metaEnvelope"]!)];
  };
  assert.deepEqual(await remaining([person.ename], [owner]), ["nothing", "NOT_FOUND", "nothing"]);
  assert.deepEqual(await remaining([person.ename], ["*"]), ["done", "FORBIDDEN", "done"]);
  assert.deepEqual(await remaining([owner], [person.ename]), ["done", "done", "done"]);
});

test("lists, search, counts and getAllEnvelopes hold only what the caller may read, and pages are full all the same [V-DEC-583] [V-DEC-584] [V-DEC-585] [T-25]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const readable: string[] = [];
  for (let n = 0; n < 40; n += 1) {
    const id = await create(vault, owner, { payload: { text: `same ${n}` }, acl: n % 4 === 0 ? ["*"] : [owner] });
    if (n % 4 === 0) readable.push(id);
  }
  for (const filter of [{}, { ontologyId: "note" }, { search: { term: "SAME" } }]) {
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter, first: 6 }, await person.headers());
    const { edges, totalCount, pageInfo } = body.data.metaEnvelopes;
    const ids = edges.map((edge: { node: { id: string } }) => edge.node.id);
    assert.deepEqual([ids, totalCount, pageInfo.hasNextPage], [readable.slice(0, 6), 10, true]);
  }
  const all = await askGraphQL(vault, owner, "{ getAllEnvelopes { id } }", {}, await person.headers());
  assert.deepEqual(
    all.body.data.getAllEnvelopes.map((envelope: { id: string }) => envelope.id.split(".")[0]),
    readable,
  );
});

const STORE = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";

test("a record from a caller who may not create is stored as a stranger's, each time under a new id: quarantined, of no platform and no author [V-DEC-563] [V-DEC-160] [V-DEC-164] [V-DEC-166]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const input = { ...INPUT, acl: ["*", person.ename] };
  const stored: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    const { body } = await askGraphQL(vault, owner, STORE, { input }, await person.headers());
    stored.push(body.data.storeMetaEnvelope.metaEnvelope.id);
  }
  assert.equal(new Set(stored).size, 2);
  const [id] = stored;
  const read = READS["metaEnvelope"]!;
  assert.equal(outcomeOf(await askGraphQL(vault, owner, read, { id }, await person.headers())), "nothing");
  assert.equal(outcomeOf(await askGraphQL(vault, owner, read, { id })), "done");
  const withId = await askGraphQL(vault, owner, STORE, { input: { ...input, id } }, await person.headers());
  assert.deepEqual([withId.status, withId.body.errors[0].extensions.code], [400, "BAD_USER_INPUT"]);
  const { rows } = await vault.database.query({
    text: "select distinct platform, author, subject, credential from change",
    values: [],
  });
  assert.deepEqual(rows, [{ platform: null, author: null, subject: null, credential: "anonymous" }]);
});

test("a keyless vault has no owner: platforms and the listed write its records, and what a stranger stored waits for the first key [V-DEC-564] [V-DEC-566]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const person = await personWith(vault, owner);
  const key = await createWalletKey();
  const asOwner = async (): Promise<Headers> => ({
    authorization: `Bearer ${await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner })}`,
  });
  const read = READS["metaEnvelope"]!;
  // Later than the first ten minutes, in which nothing is quarantined.
  await vault.database.query({ text: "update vault set created_at = now() - interval '11 minutes'", values: [] });
  const waiting = (await askGraphQL(vault, owner, STORE, { input: INPUT })).body.data.storeMetaEnvelope.metaEnvelope.id;
  assert.equal((await askGraphQL(vault, owner, read, { id: waiting }, await asOwner())).status, 401);
  const made = { input: { ...INPUT, acl: [person.ename] } };
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.create, made, platform(vault));
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const update = { id, input: INPUT };
  assert.equal(outcomeOf(await askGraphQL(vault, owner, DOCUMENTS.update, update, await person.headers())), "done");
  for (const headers of [await person.headers(), platform(vault)]) {
    assert.equal(outcomeOf(await askGraphQL(vault, owner, read, { id: waiting }, headers)), "nothing");
  }
  const added = await ask(vault, "/public-key", {
    method: "PATCH",
    headers: {
      "content-type": "application/json",
      "x-ename": owner,
      authorization: "Bearer service-token-of-this-test-0123456789",
    },
    body: JSON.stringify({ publicKey: key.publicKey }),
  });
  assert.equal(added.status, 200);
  assert.equal(outcomeOf(await askGraphQL(vault, owner, read, { id: waiting }, await asOwner())), "done");
});
