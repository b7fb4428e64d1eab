import assert from "node:assert/strict";
import { test } from "node:test";
import { bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { signText } from "@dataspace/wallet/sign-text";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import type { Constellation } from "../constellation.ts";
import { createOwner } from "../create-owner.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
const NODE = "id subject type data signatures { signer }";
const CREATE = `mutation ($input: CreateBindingDocumentInput!) {
  createBindingDocument(input: $input) { metaEnvelopeId bindingDocument { ${NODE} } errors { code } }
}`;
const SIGN = `mutation ($input: CreateBindingDocumentSignatureInput!) {
  createBindingDocumentSignature(input: $input) { bindingDocument { ${NODE} } errors { code } }
}`;
const LIST = "{ bindingDocuments(type: social_connection) { totalCount edges { node { id } } } }";

interface Person {
  readonly ename: EName;
  readonly key: WalletKey;
}

interface Document {
  readonly subject: string;
  readonly type: string;
  readonly data: object;
}

interface Written {
  readonly bindingDocument: { readonly id: string; readonly signatures: readonly { readonly signer: string }[] } | null;
  readonly errors: readonly { readonly code: string }[];
}

async function createPerson(space: Constellation): Promise<Person> {
  const key = await createWalletKey();
  return { ename: await createOwner(space, key.publicKey), key };
}

function tokenOf({ ename, key }: Person, audience: EName): Promise<string> {
  return issueWalletToken({ key, clock }, { ename, audience });
}

async function signatureOf(person: Person, document: Document) {
  const signature = await signText(person.key, bindingDocumentText(parseBindingDocument(document)));
  return { signer: person.ename, signature, timestamp: new Date().toISOString() };
}

async function send(
  space: Constellation,
  owner: EName,
  sent: { readonly query: string; readonly input: object; readonly caller: Person },
): Promise<Written> {
  const asker = { owner, token: await tokenOf(sent.caller, owner) };
  const asked = { query: sent.query, variables: { input: sent.input } };
  const { data } = await askGraphQL<Readonly<Record<string, Written>>>(space, asker, asked);
  return Object.values(data)[0] as Written;
}

test("two people connect: one opens in the other's vault, the other signs, each signature found good by way of registry, vault and certificate (S1 Binding document, decision V14) [V-DEC-600] [V-DEC-610]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const [ada, bob, eve] = [await createPerson(space), await createPerson(space), await createPerson(space)];
  const document = {
    subject: ada.ename,
    type: "social_connection",
    data: { kind: "social_connection", name: "Bob", parties: [bob.ename, ada.ename], relation_description: "friends" },
  };
  const list = async (reader: Person) => {
    const asker = { owner: ada.ename, token: await tokenOf(reader, ada.ename) };
    const { data } = await askGraphQL<{ bindingDocuments: { totalCount: number } }>(space, asker, { query: LIST });
    return data.bindingDocuments.totalCount;
  };

  const byBob = { ...document, ownerSignature: await signatureOf(bob, document) };
  const forged = { ...byBob, ownerSignature: { ...(await signatureOf(eve, document)), signer: bob.ename } };
  const refused = await send(space, ada.ename, { query: CREATE, input: forged, caller: bob });
  assert.deepEqual(refused.errors, [{ code: "INVALID_SIGNATURE" }]);
  const { bindingDocument, errors } = await send(space, ada.ename, { query: CREATE, input: byBob, caller: bob });
  assert.deepEqual(errors, []);
  assert.deepEqual([await list(ada), await list(bob), await list(eve)], [1, 1, 0]);

  const input = { bindingDocumentId: bindingDocument?.id, signature: await signatureOf(ada, document) };
  const signed = await send(space, ada.ename, { query: SIGN, input, caller: ada });
  assert.deepEqual(
    signed.bindingDocument?.signatures.map(({ signer }) => signer),
    [bob.ename, ada.ename],
  );
});

test("a device that its owner has removed signs no binding document, a new one does at once (decision V14) [V-DEC-601]", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const ada = await createPerson(space);
  const onTablet = { ...ada, key: await createWalletKey() };
  const document = { subject: ada.ename, type: "self", data: { kind: "self", name: "Ada" } };
  const codes: (readonly { readonly code: string }[])[] = [];
  for (const method of [undefined, "PATCH", "DELETE"]) {
    if (method !== undefined) {
      const asker = { owner: ada.ename, token: await tokenOf(ada, ada.ename) };
      const body = { publicKey: onTablet.key.publicKey };
      assert.equal((await ask(`${space.vaultUrl}/public-key`, asker, { method, body })).status, 200);
    }
    const input = { ...document, ownerSignature: await signatureOf(onTablet, document) };
    codes.push((await send(space, ada.ename, { query: CREATE, input, caller: ada })).errors);
  }
  assert.deepEqual(codes, [[{ code: "INVALID_SIGNATURE" }], [], [{ code: "INVALID_SIGNATURE" }]]);
});
