import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlatformCredential } from "@dataspace/vault-client/platform-credential";
import { createVaultClients, type VaultClients } from "@dataspace/vault-client/vault-clients";
import { createWalletCredential } from "@dataspace/vault-client/wallet-credential";
import { signBindingDocument } from "@dataspace/wallet/sign-binding-document";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
/** On a machine that does much else, a vault may need longer than 5 s. */
const PATIENT = { timeoutMs: 60_000 };
const retry = { fetch: PATIENT, store: PATIENT, update: PATIENT };
const ENFORCED = { DS_VAULT_AUTH: "enforced" };

interface Space {
  readonly registryUrl: string;
  readonly vaultUrl: string;
}

interface Person {
  readonly ename: EName;
  readonly key: WalletKey;
  readonly clients: VaultClients;
}

async function createPerson(space: Space): Promise<Person> {
  const key = await createWalletKey();
  const ename = await createOwner(space, key.publicKey);
  const credential = createWalletCredential({ ename, key });
  return { ename, key, clients: createVaultClients({ registryUrl: space.registryUrl, credential, retry }) };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test("an owner writes, reads, lists, changes, rolls back and removes records by wallet tokens (S1 States and transitions) [P-CLT-001] [P-CLT-002]", async () => {
  await using space = await startTestSpace(ENFORCED);
  const { ename, clients } = await createPerson(space);
  const vault = clients.vault(ename);
  assert.equal(clients.vault(ename.toUpperCase()), vault);

  const note = await vault.create<{ readonly text: string }>({ ontology: "note-v1", payload: { text: "one" } });
  assert.equal(note.parsed.text, "one");
  const more = Array.from({ length: 5 }, (_, at) => ({ ontology: "note-v1", payload: { text: `more ${at}` } }));
  for (const input of more) await vault.create(input);
  const forward = await collect(vault.list<{ readonly text: string }>({ ontologyId: "note-v1" }, { pageSize: 2 }));
  const backward = await collect(vault.list({ ontologyId: "note-v1" }, { pageSize: 4, newestFirst: true }));
  assert.deepEqual(
    forward.map(({ parsed }) => parsed.text),
    ["one", "more 0", "more 1", "more 2", "more 3", "more 4"],
  );
  assert.deepEqual(backward, forward.toReversed());
  assert.equal(await vault.count({ search: { term: "more" } }), 5);

  await vault.update(note.id, { ontology: "note-v1", payload: { text: "two", mood: "calm" } });
  const rollback = await vault.rollback(note.id, 1);
  assert.deepEqual([rollback.version, rollback.restoredFromVersion], [3, 1]);
  assert.deepEqual((await vault.get(note.id))?.parsed, { text: "one" });
  await vault.remove(note.id);
  assert.equal(await vault.get(note.id), null);
  const versions = await collect(vault.history(note.id, { pageSize: 3 }));
  assert.deepEqual(
    versions.map(({ version, operation, author }) => [version, operation, author]),
    [
      [4, "delete", ename],
      [3, "update", ename],
      [2, "update", ename],
      [1, "create", ename],
    ],
  );
  const logs = await collect(vault.logs({ pageSize: 4 }));
  assert.deepEqual([logs.length, logs[0]?.operation], [9, "delete"]);
  const whois = await vault.whois();
  assert.deepEqual([whois.dsid, whois.keyBindingCertificates.length], [ename, 1]);
  assert.equal(await vault.isHealthy(), true);
  const { getAllEnvelopes } = await vault.query<{ getAllEnvelopes: readonly { readonly id: string }[] }>(
    "{ getAllEnvelopes { id } }",
  );
  assert.equal(getAllEnvelopes.length, 5);
  assert.equal(await vault.call("deleteMetaEnvelope", { id: forward[1]?.id ?? "" }), true);
});

test("a refusal of the vault comes with its stable code and the field at fault (S1 Errors)", async () => {
  await using space = await startTestSpace(ENFORCED);
  const { ename, clients } = await createPerson(space);
  const vault = clients.vault(ename);
  const { id } = await vault.create({ ontology: "note-v1", payload: {} });
  const refusals = [
    [() => vault.create({ ontology: "note-v1", payload: { text: "a\u0000b" } }), { code: "INVALID_TEXT", status: 400 }],
    [
      () => vault.create({ ontology: "note-v1", payload: {}, acl: ["nobody"] }),
      { code: "INVALID_ACL", field: "acl[0]" },
    ],
    [() => vault.update("absent", { ontology: "note-v1", payload: {} }), { code: "NOT_FOUND", status: 404 }],
    [() => vault.rollback(id, 7), { code: "VERSION_NOT_FOUND", mayBeWritten: false }],
    [() => vault.list({}, { pageSize: 0 }).next(), { code: "INVALID_PAGINATION" }],
    [() => vault.downloadFile(id), { code: "NOT_FOUND" }],
    [() => vault.query("{ nothing }"), { code: "GRAPHQL_VALIDATION_FAILED", status: 400 }],
    [() => createVaultClients(space).vault(ename).get(id), { code: "UNAUTHENTICATED", status: 401 }],
    [() => clients.vault(crypto.randomUUID()).get(id), { code: "UNKNOWN_ENAME", status: 404 }],
  ] as const;
  for (const [call, expected] of refusals) await assert.rejects(call, { name: "VaultError", ...expected });
});

test("files go into a vault and come back, by id and by ds://file URI (S1 uploadFile)", async () => {
  await using space = await startTestSpace(ENFORCED);
  const { ename, clients } = await createPerson(space);
  const content = crypto.getRandomValues(new Uint8Array(50_000));
  const file = { filename: "Grüße aus Köln.png", contentType: "image/png", content };
  const stored = await clients.vault(ename).uploadFile(file);
  assert.equal(stored.uri, `ds://file?id=${ename}/${stored.metaEnvelopeId}`);
  assert.equal(stored.publicUrl, null);
  assert.deepEqual(await clients.downloadFile(stored.uri), file);
  assert.deepEqual(await clients.vault(ename).downloadFile(stored.metaEnvelopeId), file);
  const stranger = await createPerson(space);
  await assert.rejects(stranger.clients.downloadFile(stored.uri), { code: "NOT_FOUND" });
});

test("binding documents are created, countersigned and listed (S1 Binding document)", async () => {
  await using space = await startTestSpace(ENFORCED);
  const [ada, ben] = [await createPerson(space), await createPerson(space)];
  const parties = [ada.ename, ben.ename];
  const data = { kind: "social_connection", name: "Ben", parties, relation_description: "friends" };
  const input = { subject: ada.ename, type: "social_connection", data } as const;
  const signed = await signBindingDocument(input, { ...ada, clock });
  const vault = ada.clients.vault(ada.ename);
  const document = await vault.createBindingDocument({ ...input, ownerSignature: signed.signature });
  const counter = await signBindingDocument(input, { ...ben, clock });
  const both = await ben.clients.vault(ada.ename).signBindingDocument(document.id, counter.signature);
  assert.deepEqual(
    both.signatures.map(({ signer }) => signer),
    [ada.ename, ben.ename],
  );
  assert.deepEqual(await vault.bindingDocument(document.id), both);
  assert.deepEqual(await collect(vault.bindingDocuments({ type: "social_connection" })), [both]);
  assert.deepEqual(await collect(vault.bindingDocuments({ type: "self" })), []);
});

test("a platform with the registry's token writes 2,500 records by bulk, on behalf of a person, and a bad one stops no other", async () => {
  await using space = await startTestSpace(ENFORCED);
  const owner = await createOwner(space, undefined);
  const credential = createPlatformCredential({ registryUrl: space.registryUrl, platform: "https://notes.example" });
  const vault = createVaultClients({ registryUrl: space.registryUrl, credential, retry }).vault(owner);
  const inputs = Array.from({ length: 2_500 }, (_, at) => ({
    id: `note-${at === 7 ? 6 : at}`,
    ontology: "note-v1",
    payload: { at },
  }));
  const outcomes = await collect(vault.createMany(inputs, { onBehalfOf: owner }));
  assert.deepEqual(
    outcomes.filter(({ success }) => !success).map(({ index, code }) => [index, code]),
    [[7, "ID_EXISTS"]],
  );
  const [version] = await collect(vault.history("note-2499"));
  assert.deepEqual([version?.requestingPlatform, version?.author], ["https://notes.example", owner]);
  assert.equal(await vault.count(), 2_499);
});
