import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64, encodeBase64 } from "@dataspace/protocol/base64";
import { ask, askGraphQL } from "./support/ask.ts";
import {
  addSignature,
  BINDING,
  connection,
  createDocument,
  type Saying,
  type SentSignature,
  self,
  sendDocument,
  signatureOf,
} from "./support/binding-documents.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

type Headers = Readonly<Record<string, string>>;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

async function startWithTwo(legacyTokens: "accept" | "read-only" = "accept") {
  const vault = await startVault({ auth: "enforced", legacyTokens });
  const [ada, bob] = [await createPerson(vault), await createPerson(vault)];
  const by = (person: Person) => person.at(ada.ename);
  return {
    vault,
    ada,
    bob,
    by,
    platform: platformHeaders(vault),
    [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose](),
  };
}

const send = (vault: TestVault, owner: Person, saying: Saying, ownerSignature: SentSignature, headers: Headers) =>
  askGraphQL(vault, owner.ename, BINDING.create, { input: { ...saying, ownerSignature } }, headers);
const remove = async (vault: TestVault, owner: Person, id: string, headers: Headers) =>
  (await askGraphQL(vault, owner.ename, DOCUMENTS.remove, { id }, headers)).body.data.removeMetaEnvelope;
const errorsOf = (answer: Awaited<ReturnType<typeof send>>) =>
  answer.body.data.createBindingDocument.errors.map(({ code }: { code: string }) => code);

/** The same signature with s negated, which verifies too and takes no key to write. */
function negated({ signature, ...rest }: SentSignature): SentSignature {
  const raw = Buffer.from(decodeBase64(signature) ?? []);
  const s = (ORDER - BigInt(`0x${raw.subarray(32).toString("hex")}`)).toString(16).padStart(64, "0");
  return { ...rest, signature: encodeBase64(Buffer.concat([raw.subarray(0, 32), Buffer.from(s, "hex")])) };
}

const inHex = ({ signature, ...rest }: SentSignature): SentSignature => ({
  ...rest,
  signature: `0x${Buffer.from(decodeBase64(signature) ?? []).toString("hex")}`,
});

test("a removed binding document comes back by its old signature from its owner alone: FORBIDDEN for a legacy token, however the signature is written [decision V14]", async () => {
  await using space = await startWithTwo();
  const { vault, ada, by, platform } = space;
  const saying = { subject: ada.ename, type: "id_document", data: { vendor: "v", reference: "r", name: "Ada" } };
  const signature = await signatureOf(ada, saying);
  const created = await send(vault, ada, saying, signature, await by(ada));
  assert.deepEqual(errorsOf(created), []);
  assert.deepEqual(
    errorsOf(await send(vault, ada, saying, signature, platform)),
    [],
    "one that is there may be sent again",
  );
  const { rows } = await vault.database.query<{ id: string }>({ text: "select id from meta_envelope", values: [] });
  for (const { id } of rows) assert.equal((await remove(vault, ada, id, await by(ada))).success, true);
  const dated = { ...signature, timestamp: "2026-09-09T09:09:09Z" };
  for (const again of [signature, dated, negated(signature), inHex(signature), inHex(negated(signature))]) {
    assert.deepEqual(errorsOf(await send(vault, ada, saying, again, platform)), ["FORBIDDEN"]);
  }
  const spaced = { ...saying, data: { name: "Ada", reference: "r", vendor: "v" } };
  assert.deepEqual(errorsOf(await send(vault, ada, spaced, signature, platform)), ["FORBIDDEN"], "in another order");
  const renewed = await signatureOf(ada, saying);
  assert.deepEqual(
    errorsOf(await send(vault, ada, saying, renewed, platform)),
    [],
    "a new signature is a new document",
  );
  const other = { ...saying, data: { ...saying.data, name: "Bea" } };
  assert.deepEqual(errorsOf(await send(vault, ada, other, await signatureOf(ada, other), platform)), []);
  assert.deepEqual(errorsOf(await send(vault, ada, saying, signature, await by(ada))), []);
});

test("the other party cannot bring back a social_connection that was removed, with its own signature or a platform's token [decision V14]", async () => {
  await using space = await startWithTwo();
  const { vault, ada, bob, by, platform } = space;
  const saying = connection([ada, bob], ada);
  const signature = await signatureOf(bob, saying);
  const { body } = await send(vault, ada, saying, signature, await by(bob));
  const id = body.data.createBindingDocument.metaEnvelopeId;
  await addSignature(vault, { owner: ada.ename, id, saying, signer: ada }, await by(ada));
  assert.equal((await remove(vault, ada, id, await by(ada))).success, true);
  for (const headers of [await by(bob), platform]) {
    assert.deepEqual(errorsOf(await send(vault, ada, saying, signature, headers)), ["FORBIDDEN"]);
  }
});

test("a legacy token that may write reads, countersigns and removes a quarantined opening, and nothing else that is quarantined [decision V14]", async () => {
  await using space = await startWithTwo();
  const { vault, ada, bob, by, platform } = space;
  const saying = connection([ada, bob], ada);
  const sent = { owner: ada.ename, saying, signer: bob };
  const id = await createDocument(vault, sent, platform);
  const read = await askGraphQL(vault, ada.ename, BINDING.read, { id }, platform);
  assert.equal(read.body.data.bindingDocument.id, id);
  const updated = { id, input: { ontology: "note", payload: { a: 1 } } };
  assert.equal(refusalOf(await askGraphQL(vault, ada.ename, DOCUMENTS.update, updated, platform)).code, "FORBIDDEN");
  const signed = await addSignature(vault, { ...sent, id, signer: ada }, platform);
  const { bindingDocument, errors } = signed.body.data.createBindingDocumentSignature;
  assert.deepEqual([errors, bindingDocument.signatures.length], [[], 2]);
  const { rows } = await vault.database.query<{ quarantined: boolean; events: number }>({
    text: "select quarantined, (select count(*) from change_event) as events from meta_envelope where id = $1",
    values: [id],
  });
  assert.deepEqual(rows, [{ quarantined: false, events: 1 }], "the owner's signature releases it, whoever carried it");

  const second = await createDocument(vault, sent, await by(bob));
  assert.equal((await remove(vault, ada, second, platform)).success, true);
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  const stored = await askGraphQL(vault, ada.ename, store, { input: { ontology: "note", payload: {} } });
  const left = stored.body.data.storeMetaEnvelope.metaEnvelope.id;
  assert.equal(
    (await askGraphQL(vault, ada.ename, DOCUMENTS.read, { id: left }, platform)).body.data.metaEnvelope,
    null,
  );
  assert.equal((await remove(vault, ada, left, platform)).success, false);
});

test("a legacy token that may write lists, counts and reads the log of a vault, with and without policies, openings included [decisions V12, V14]", async () => {
  await using space = await startWithTwo();
  const { vault, ada, bob, by, platform } = space;
  const create = async (input: object) =>
    (await askGraphQL(vault, ada.ename, DOCUMENTS.create, { input }, await by(ada))).body.data.createMetaEnvelope
      .metaEnvelope.id;
  const ids = [await create({ ontology: "note", payload: {} })];
  ids.push(
    await createDocument(vault, { owner: ada.ename, saying: connection([ada, bob], ada), signer: bob }, platform),
  );
  const seen = async () => {
    const list = await askGraphQL(vault, ada.ename, DOCUMENTS.list, {}, platform);
    const { edges, totalCount } = list.body.data.metaEnvelopes;
    const { body } = await ask(vault, "/logs", { headers: { "x-ename": ada.ename, ...platform } });
    const logged = body.logs.map(({ metaEnvelopeId }: { metaEnvelopeId: string }) => metaEnvelopeId);
    return { listed: edges.map(({ node }: { node: { id: string } }) => node.id), totalCount, logged };
  };
  assert.deepEqual(await seen(), { listed: ids, totalCount: 2, logged: ids.toReversed() });
  await create({
    ontology: "note",
    payload: {},
    _acl: { v: 1, default_perms: 0, grants: [{ ename: bob.ename, perms: 1 }] },
  });
  assert.deepEqual(await seen(), { listed: ids, totalCount: 2, logged: ids.toReversed() });
});

test("where legacy tokens only read, they see and remove no opening [decision V14] [decision I7]", async () => {
  await using space = await startWithTwo("read-only");
  const { vault, ada, bob, by, platform } = space;
  const id = await createDocument(
    vault,
    { owner: ada.ename, saying: connection([ada, bob], ada), signer: bob },
    await by(bob),
  );
  assert.equal((await askGraphQL(vault, ada.ename, BINDING.read, { id }, platform)).body.data.bindingDocument, null);
  const list = await askGraphQL(vault, ada.ename, BINDING.list, {}, platform);
  assert.equal(list.body.data.bindingDocuments.totalCount, 0);
  assert.equal((await remove(vault, ada, id, platform)).success, false);
  const refused = await sendDocument(vault, { owner: ada.ename, saying: self(ada), signer: ada }, platform);
  assert.equal(refusalOf(refused).code, "FORBIDDEN");
});
