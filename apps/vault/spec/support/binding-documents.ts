import assert from "node:assert/strict";
import { bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { signText } from "@dataspace/wallet/sign-text";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import { type Answer, ask, askGraphQL } from "./ask.ts";
import type { Person } from "./people.ts";
import type { TestVault } from "./start-vault.ts";

/** What a binding document is to say. */
export interface Saying {
  readonly subject: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const NODE: string =
  "id ontology subject type data signatures { signer signature timestamp } parsed envelopes { fieldKey }";

/** The GraphQL documents about binding documents, as a client would write them. */
export const BINDING: Readonly<Record<"create" | "sign" | "read" | "list", string>> = {
  create: `mutation ($input: CreateBindingDocumentInput!) {
    createBindingDocument(input: $input) { metaEnvelopeId bindingDocument { ${NODE} } errors { field message code } }
  }`,
  sign: `mutation ($input: CreateBindingDocumentSignatureInput!) {
    createBindingDocumentSignature(input: $input) { bindingDocument { ${NODE} } errors { field message code } }
  }`,
  read: `query ($id: ID!) { bindingDocument(id: $id) { ${NODE} } }`,
  list: `query ($type: BindingDocumentType, $first: Int, $after: String, $last: Int, $before: String) {
    bindingDocuments(type: $type, first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { ${NODE} } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount
    }
  }`,
};

/** A person's statement about themselves. */
export function self(person: Person, name = "Ada"): Saying {
  return { subject: person.ename, type: "self", data: { kind: "self", name } };
}

/** What two people say of each other. */
export function connection(parties: readonly [Person, Person], subject: Person = parties[0]): Saying {
  const names = parties.map(({ ename }) => ename);
  const data = { kind: "social_connection", name: "Bob", parties: names, relation_description: "friends" };
  return { subject: subject.ename, type: "social_connection", data };
}

/** A signature as it is sent. */
export interface SentSignature {
  readonly signer: string;
  readonly signature: string;
  readonly timestamp: string;
}

/** A person's signature over what a document says once it is normalised. */
export async function signatureOf(
  person: Person,
  saying: Saying,
  encoding: "base64" | "base58btc" = "base64",
): Promise<SentSignature> {
  const signature = await signText({ ...person.key, encoding }, bindingDocumentText(parseBindingDocument(saying)));
  return { signer: person.ename, signature, timestamp: "2026-02-03T04:05:06.789Z" };
}

/** Sends a document signed by a person to an owner's vault. */
export async function sendDocument(
  vault: TestVault,
  { owner, saying, signer }: { readonly owner: EName; readonly saying: Saying; readonly signer: Person },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const input = { ...saying, ownerSignature: await signatureOf(signer, saying) };
  return askGraphQL(vault, owner, BINDING.create, { input }, headers);
}

/** The same, which the test expects to be accepted. Out: the document's id. */
export async function createDocument(
  vault: TestVault,
  sent: { readonly owner: EName; readonly saying: Saying; readonly signer: Person },
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { body } = await sendDocument(vault, sent, headers);
  const { metaEnvelopeId, errors } = body.data.createBindingDocument;
  assert.deepEqual(errors, [], JSON.stringify(errors));
  return metaEnvelopeId;
}

/** Adds a person's signature to a document in an owner's vault. */
export async function addSignature(
  vault: TestVault,
  {
    owner,
    id,
    saying,
    signer,
  }: { readonly owner: EName; readonly id: string; readonly saying: Saying; readonly signer: Person },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const input = { bindingDocumentId: id, signature: await signatureOf(signer, saying) };
  return askGraphQL(vault, owner, BINDING.sign, { input }, headers);
}

/** Adds a key to a person's vault or removes one, by the person's wallet. */
export async function changeKey(
  vault: TestVault,
  person: Person,
  { method, key }: { readonly method: "PATCH" | "DELETE"; readonly key: WalletKey },
): Promise<void> {
  const { status } = await ask(vault, "/public-key", {
    method,
    headers: {
      "content-type": "application/json",
      "x-ename": person.ename,
      ...(await person.at(person.ename)),
    },
    body: JSON.stringify({ publicKey: key.publicKey }),
  });
  assert.equal(status, 200);
}
