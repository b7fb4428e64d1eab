import assert from "node:assert/strict";
import { test } from "node:test";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { ask, askGraphQL } from "./support/ask.ts";
import {
  addSignature,
  BINDING,
  changeKey,
  connection,
  createDocument,
  self,
  sendDocument,
  signatureOf,
} from "./support/binding-documents.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

async function startWithPeople() {
  const vault = await startVault({ auth: "enforced" });
  const [ada, bob, eve] = [await createPerson(vault), await createPerson(vault), await createPerson(vault)];
  const by = (person: Person) => person.at(ada.ename);
  return { vault, ada, bob, eve, by, [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose]() };
}

/** What each of a vault's doors for reading shows somebody of a document. */
async function seenBy(vault: TestVault, owner: string, id: string, headers: Readonly<Record<string, string>>) {
  const one = await askGraphQL(vault, owner, BINDING.read, { id }, headers);
  const record = await askGraphQL(vault, owner, DOCUMENTS.read, { id }, headers);
  const documents = (await askGraphQL(vault, owner, BINDING.list, {}, headers)).body.data.bindingDocuments;
  const records = (await askGraphQL(vault, owner, DOCUMENTS.list, {}, headers)).body.data.metaEnvelopes;
  const history = (await askGraphQL(vault, owner, DOCUMENTS.history, { id }, headers)).body.data.metaEnvelopeHistory;
  const { logs } = (await ask(vault, "/logs", { headers: { "x-ename": owner, ...headers } })).body;
  return [
    one.body.data.bindingDocument !== null,
    record.body.data.metaEnvelope !== null,
    documents.edges.length + documents.totalCount,
    records.edges.length + records.totalCount,
    history.totalCount > 0,
    logs.length > 0,
  ];
}

const SEEN = [true, true, 2, 2, true, true];
const UNSEEN = [false, false, 0, 0, false, false];

async function eventsOf(
  vault: TestVault,
): Promise<readonly { operation: string; streamVersion: number; data: never }[]> {
  const { rows } = await vault.database.query<{ body: string }>({
    text: "select body from change_event order by stream_version",
    values: [],
  });
  return rows.map(({ body }) => JSON.parse(body));
}

test("a counterparty's signature is appended and writes a version, a log entry and an event of the whole document [V-DEC-503] [V-BIND-005] [V-BIND-013] [V-STATE-029] [V-STATE-030] [V-MUT-018] [V-MUT-019] [V-DEC-609]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, by } = space;
  const saying = connection([ada, bob]);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await by(ada));
  const { body } = await addSignature(vault, { owner: ada.ename, id, saying, signer: bob }, await by(bob));
  const { bindingDocument, errors } = body.data.createBindingDocumentSignature;
  assert.deepEqual(errors, []);
  const { subject, type, data, signatures } = bindingDocument;
  assert.deepEqual({ subject, type, data }, saying);
  assert.deepEqual(
    signatures.map(({ signer }: { signer: string }) => signer),
    [ada.ename, bob.ename],
  );
  const headers = await by(ada);
  const history = await askGraphQL(vault, ada.ename, DOCUMENTS.history, { id }, headers);
  const [newest] = history.body.data.metaEnvelopeHistory.edges;
  assert.deepEqual([newest.node.version, newest.node.operation, newest.node.author], [2, "update", bob.ename]);
  const { logs } = (await ask(vault, "/logs", { headers: { "x-ename": ada.ename, ...headers } })).body;
  assert.deepEqual([logs.length, logs[0].operation, logs[0].author], [2, "update", bob.ename]);
  const events = await eventsOf(vault);
  assert.deepEqual([events.length, events[1]!.operation, events[1]!.data], [2, "update", { ...saying, signatures }]);
});

test("whoever may read a document adds a signature, and anybody adds their own to a document other than a social_connection [V-DEC-613] [V-DEC-614]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, eve, by } = space;
  const elsewhere = await createPerson(vault);
  const saying = { ...self(ada), subject: bob.ename };
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await by(ada));
  const sign = async (signer: Person, headers: Readonly<Record<string, string>>) =>
    addSignature(vault, { owner: ada.ename, id, saying, signer }, headers);
  assert.equal(refusalOf(await sign(eve, await by(eve))).code, "NOT_FOUND");
  assert.equal(refusalOf(await sign(elsewhere, await by(bob))).code, "FORBIDDEN");
  assert.deepEqual((await sign(bob, await by(bob))).body.data.createBindingDocumentSignature.errors, []);
  assert.deepEqual((await sign(eve, platformHeaders(vault))).body.data.createBindingDocumentSignature.errors, []);
  const last = await sign(elsewhere, platformHeaders(vault));
  assert.equal(last.body.data.createBindingDocumentSignature.bindingDocument.signatures.length, 4);
});

test("without READ a party of a social_connection signs it and nobody else, and only parties are signers [V-DEC-613] [V-DEC-615]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, eve, by } = space;
  const saying = connection([ada, bob]);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await by(ada));
  assert.deepEqual(await seenBy(vault, ada.ename, id, await by(bob)), UNSEEN);
  const sent = { owner: ada.ename, id, saying };
  assert.equal(refusalOf(await addSignature(vault, { ...sent, signer: eve }, await by(eve))).code, "NOT_FOUND");
  assert.equal(refusalOf(await addSignature(vault, { ...sent, signer: bob })).code, "UNAUTHENTICATED");
  assert.equal(
    refusalOf(await addSignature(vault, { ...sent, signer: eve }, platformHeaders(vault))).code,
    "INVALID_SIGNER",
  );
  const signed = await addSignature(vault, { ...sent, signer: bob }, await by(bob));
  assert.deepEqual(signed.body.data.createBindingDocumentSignature.errors, []);
});

test("a signature is refused for an unknown, removed or other MetaEnvelope, by another key, over another text, and of whom nobody knows [V-STATE-029] [V-DEC-601]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, by } = space;
  const saying = self(ada);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await by(ada));
  const headers = platformHeaders(vault);
  const note = (
    await askGraphQL(vault, ada.ename, DOCUMENTS.create, { input: { ontology: "note", payload: {} } }, headers)
  ).body.data.createMetaEnvelope.metaEnvelope.id;
  const good = await signatureOf(bob, saying);
  const send = async (bindingDocumentId: string, signature: object) => {
    const answer = await askGraphQL(
      vault,
      ada.ename,
      BINDING.sign,
      { input: { bindingDocumentId, signature } },
      headers,
    );
    return refusalOf(answer).code;
  };
  assert.equal(await send("unknown", good), "NOT_FOUND");
  assert.equal(await send(note, good), "NOT_FOUND");
  assert.equal(await send(id, { ...(await signatureOf(ada, saying)), signer: bob.ename }), "INVALID_SIGNATURE");
  assert.equal(await send(id, await signatureOf(bob, self(ada, "Eve"))), "INVALID_SIGNATURE");
  assert.equal(await send(id, { ...good, timestamp: "now" }), "BAD_USER_INPUT");
  assert.equal(await send(id, { ...good, signer: "bob" }), "INVALID_ENAME");
  vault.registry.addresses.delete(bob.ename);
  assert.equal(await send(id, good), "INVALID_SIGNATURE");
  await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id }, headers);
  assert.equal(await send(id, good), "NOT_FOUND");
});

test("a signer signs once, by whichever of its keys, and the owner has signed already [V-DEC-616]", async () => {
  await using vault = await startVault();
  const [ada, bob] = [await createPerson(vault), await createPerson(vault)];
  const saying = connection([ada, bob]);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada });
  const sent = { owner: ada.ename, id, saying };
  assert.deepEqual(
    (await addSignature(vault, { ...sent, signer: bob })).body.data.createBindingDocumentSignature.errors,
    [],
  );
  const key = await createWalletKey();
  await changeKey(vault, bob, { method: "PATCH", key });
  for (const signer of [ada, bob, { ...bob, key }]) {
    assert.equal(refusalOf(await addSignature(vault, { ...sent, signer })).code, "ALREADY_SIGNED");
  }
});

test("a document takes 32 signatures and the 33rd is TOO_MANY_SIGNATURES [V-DEC-617]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const saying = self(ada);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada });
  for (let count = 2; count <= 33; count += 1) {
    const signer = await createPerson(vault);
    const answer = await addSignature(vault, { owner: ada.ename, id, saying, signer });
    if (count === 33) assert.equal(refusalOf(answer).code, "TOO_MANY_SIGNATURES");
    else assert.equal(answer.body.data.createBindingDocumentSignature.bindingDocument.signatures.length, count);
  }
});

test("concurrent signatures are all stored, one version each [V-DEC-480] [V-STATE-030]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const saying = self(ada);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada });
  const signers = await Promise.all(Array.from({ length: 8 }, () => createPerson(vault)));
  const answers = await Promise.all(
    [...signers, signers[0]!].map((signer) => addSignature(vault, { owner: ada.ename, id, saying, signer })),
  );
  const codes = answers.flatMap(({ body }) =>
    body.data.createBindingDocumentSignature.errors.map((e: { code: string }) => e.code),
  );
  assert.deepEqual(codes, ["ALREADY_SIGNED"]);
  const { body } = await askGraphQL(vault, ada.ename, BINDING.read, { id });
  const stored = body.data.bindingDocument.signatures.map(({ signer }: { signer: string }) => signer);
  assert.deepEqual(stored.toSorted(), [ada, ...signers].map(({ ename }) => ename as string).toSorted());
  assert.deepEqual(
    (await eventsOf(vault)).map(({ streamVersion }) => streamVersion),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

test("a social_connection that the other party opens is seen by both alone and emits nothing, until the owner's signature releases it as a create [V-DEC-610] [V-DEC-611] [V-DEC-612] [V-DEC-485]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, eve, by } = space;
  const saying = connection([ada, bob], ada);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: bob }, await by(bob));
  for (const [reader, seen] of [
    [ada, SEEN],
    [bob, SEEN],
    [eve, UNSEEN],
  ] as const) {
    assert.deepEqual(await seenBy(vault, ada.ename, id, await by(reader)), seen);
  }
  assert.deepEqual(await seenBy(vault, ada.ename, id, platformHeaders(vault)), SEEN, "its owner's older wallet");
  assert.deepEqual(await eventsOf(vault), []);
  assert.equal(
    refusalOf(await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id }, await by(bob))).code,
    "FORBIDDEN",
  );
  const sent = { owner: ada.ename, id, saying };
  assert.equal(refusalOf(await addSignature(vault, { ...sent, signer: ada }, await by(bob))).code, "FORBIDDEN");
  const signed = await addSignature(vault, { ...sent, signer: ada }, await by(ada));
  const { signatures } = signed.body.data.createBindingDocumentSignature.bindingDocument;
  const events = await eventsOf(vault);
  assert.deepEqual([events.length, events[0]!.operation, events[0]!.streamVersion], [1, "create", 2]);
  assert.deepEqual(events[0]!.data, { ...saying, signatures });
  assert.deepEqual(await seenBy(vault, ada.ename, id, platformHeaders(vault)), SEEN);
  assert.deepEqual(await seenBy(vault, ada.ename, id, await by(bob)), SEEN, "whoever opened it sees that it was taken");
  assert.deepEqual(await seenBy(vault, ada.ename, id, await by(eve)), UNSEEN);
});

test("an opening waits whatever credential carried it, and one that the owner removes is never announced [V-DEC-612] [V-DEC-608]", async () => {
  for (const auth of ["header", "enforced"] as const) {
    await using vault = await startVault({ auth });
    const [ada, bob] = [await createPerson(vault), await createPerson(vault)];
    const saying = connection([bob, ada], ada);
    const sent = { owner: ada.ename, saying, signer: bob };
    const headers = auth === "header" ? {} : await ada.at(ada.ename);
    const ids = [await createDocument(vault, sent, headers), await createDocument(vault, sent, platformHeaders(vault))];
    const { rows } = await vault.database.query({
      text: "select quarantined, opened_by, acl from meta_envelope",
      values: [],
    });
    assert.deepEqual(rows, Array(2).fill({ quarantined: true, opened_by: bob.ename, acl: null }));
    const asOwner = auth === "header" ? {} : await ada.at(ada.ename);
    const { body } = await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id: ids[0] }, asOwner);
    assert.equal(body.data.removeMetaEnvelope.success, true);
    assert.deepEqual(await eventsOf(vault), []);
  }
});

test("an opening is the other party's, of the owner as subject, by its own wallet [V-DEC-610] [V-DEC-611] [V-DEC-615]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, eve, by } = space;
  const send = async (saying: ReturnType<typeof connection>, signer: Person, caller: Person) =>
    refusalOf(await sendDocument(vault, { owner: ada.ename, saying, signer }, await by(caller))).code;
  assert.equal(await send(connection([ada, bob], bob), bob, bob), "INVALID_BINDING_DOCUMENT");
  assert.equal(await send(connection([ada, bob]), eve, eve), "INVALID_SIGNER");
  assert.equal(await send(connection([bob, eve]), bob, bob), "INVALID_SIGNER");
  assert.equal(await send(connection([bob, eve]), ada, ada), "INVALID_SIGNER");
  assert.equal(await send(connection([ada, bob]), bob, eve), "FORBIDDEN");
  const forged = { ...(await signatureOf(ada, connection([ada, bob]))), signer: bob.ename };
  const input = { ...connection([ada, bob]), ownerSignature: forged };
  const answer = await askGraphQL(vault, ada.ename, BINDING.create, { input }, await by(bob));
  assert.equal(refusalOf(answer).code, "INVALID_SIGNATURE");
});

test("bindingDocuments lists all or those of one type in creation order, pages both ways and counts exactly [V-QRY-016] [V-QRY-017] [V-QRY-018] [V-PAGE-023] [V-DEC-341]", async () => {
  await using vault = await startVault();
  const ada = await createPerson(vault);
  const photo = { subject: ada.ename, type: "photograph", data: { photoBlob: "AAAA" } };
  await create(vault, ada.ename, { payload: self(ada) });
  const ids: string[] = [];
  for (const saying of [self(ada), photo, self(ada), photo, self(ada), photo]) {
    ids.push(await createDocument(vault, { owner: ada.ename, saying, signer: ada }));
  }
  await askGraphQL(vault, ada.ename, DOCUMENTS.remove, { id: ids.pop() });
  const list = async (args: object) => (await askGraphQL(vault, ada.ename, BINDING.list, args)).body;
  const idsOf = (body: { data: { bindingDocuments: { edges: { node: { id: string } }[] } } }) =>
    body.data.bindingDocuments.edges.map(({ node }) => node.id);
  const all = await list({});
  assert.deepEqual([idsOf(all), all.data.bindingDocuments.totalCount], [ids, 5]);
  const selves = ids.filter((_, index) => index % 2 === 0);
  const first = await list({ type: "self", first: 2 });
  const { pageInfo, totalCount, edges } = first.data.bindingDocuments;
  assert.deepEqual([idsOf(first), totalCount, pageInfo.hasNextPage], [selves.slice(0, 2), 3, true]);
  assert.deepEqual(edges[0].node.data, { kind: "self", name: "Ada" });
  const second = await list({ type: "self", first: 2, after: pageInfo.endCursor });
  assert.deepEqual([idsOf(second), second.data.bindingDocuments.totalCount], [selves.slice(2), 3]);
  const { startCursor } = second.data.bindingDocuments.pageInfo;
  const back = await list({ type: "self", last: 1, before: startCursor });
  assert.deepEqual([idsOf(back), back.data.bindingDocuments.pageInfo.hasPreviousPage], [selves.slice(1, 2), true]);
  const none = await list({ type: "id_document" });
  assert.deepEqual([idsOf(none), none.data.bindingDocuments.totalCount], [[], 0]);
  const records = await askGraphQL(vault, ada.ename, DOCUMENTS.list, { first: 1 });
  for (const [args, code] of [
    [{ first: 0 }, "INVALID_PAGINATION"],
    [{ first: 1, last: 1 }, "INVALID_PAGINATION"],
    [{ after: "" }, "BAD_CURSOR"],
    [{ after: pageInfo.endCursor }, "BAD_CURSOR"],
    [{ type: "photograph", after: pageInfo.endCursor }, "BAD_CURSOR"],
    [{ type: "self", after: records.body.data.metaEnvelopes.pageInfo.endCursor }, "BAD_CURSOR"],
  ] as const) {
    assert.equal((await list(args)).errors[0].extensions.code, code, JSON.stringify(args));
  }
});

test("a list of one type holds and counts only what its reader may see [V-DEC-612] [decision V13]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, eve, by } = space;
  const saying = { ...self(ada), subject: eve.ename };
  await createDocument(vault, { owner: ada.ename, saying, signer: ada }, await by(ada));
  await createDocument(vault, { owner: ada.ename, saying: self(ada), signer: ada }, await by(ada));
  await createDocument(vault, { owner: ada.ename, saying: connection([ada, bob]), signer: bob }, await by(bob));
  const count = async (type: string, headers: Readonly<Record<string, string>>) => {
    const { totalCount, edges } = (await askGraphQL(vault, ada.ename, BINDING.list, { type }, headers)).body.data
      .bindingDocuments;
    assert.equal(edges.length, totalCount);
    return totalCount;
  };
  const counts: number[][] = [];
  for (const headers of [await by(ada), await by(bob), await by(eve), platformHeaders(vault)]) {
    counts.push([await count("self", headers), await count("social_connection", headers)]);
  }
  assert.deepEqual(counts, [
    [2, 1],
    [0, 1],
    [1, 0],
    [2, 1],
  ]);
  const anonymous = await askGraphQL(vault, ada.ename, BINDING.list, {});
  assert.equal(anonymous.body.errors[0].extensions.code, "UNAUTHENTICATED");
});

test("a wallet token adds one signature; a refused one does not spend it [decision I6]", async () => {
  await using space = await startWithPeople();
  const { vault, ada, bob, by } = space;
  const saying = connection([ada, bob]);
  const headers = await by(ada);
  const id = await createDocument(vault, { owner: ada.ename, saying, signer: ada }, headers);
  assert.equal(
    refusalOf(await sendDocument(vault, { owner: ada.ename, saying, signer: ada }, headers)).code,
    "TOKEN_SPENT",
  );
  const byBob = await by(bob);
  const sent = { owner: ada.ename, id, saying, signer: bob };
  assert.equal(refusalOf(await addSignature(vault, { ...sent, id: "unknown" }, byBob)).code, "NOT_FOUND");
  assert.deepEqual((await addSignature(vault, sent, byBob)).body.data.createBindingDocumentSignature.errors, []);
});
