import assert from "node:assert/strict";
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { test } from "node:test";
import vectors from "../../../vectors/binding-document.json" with { type: "json" };
import { bindingDocumentText, parseBindingDocument } from "./binding-document.ts";
import { decodePublicKey, pointToSpki } from "./public-key.ts";
import { verifySignature } from "./signature.ts";

const ALICE = "@11111111-2222-4333-8444-555555555555";
const BOB = "@33333333-3333-4333-8333-333333333333";

test("bindingDocumentText() is the text that owners sign, and its SHA-256 the document's hash [decision V14]", async () => {
  for (const { document, text, sha256Hex, signerPublicKey, signature } of vectors.own) {
    assert.equal(bindingDocumentText(parseBindingDocument(document)), text);
    assert.equal(createHash("sha256").update(text).digest("hex"), sha256Hex);
    if (signerPublicKey !== undefined && signature !== undefined) {
      const key = importKey(signerPublicKey);
      assert.equal(await verifySignature(byOpenSsl, { key, data: Buffer.from(text), signature }), "base64");
    }
  }
});

test("parseBindingDocument() rebuilds each type's data: known members, kind set, eNames normalised [decision V14]", () => {
  const cases: readonly (readonly [type: string, sent: unknown, stored: unknown])[] = [
    ["id_document", { vendor: "v", reference: "r", name: "n", extra: 1 }, { vendor: "v", reference: "r", name: "n" }],
    ["photograph", { photoBlob: "b" }, { photoBlob: "b" }],
    ["photograph", { photoBlob: "b", description: "d", x: 1 }, { photoBlob: "b", description: "d" }],
    [
      "social_connection",
      { name: "n", parties: [ALICE.slice(1).toUpperCase(), BOB], relation_description: "d" },
      { kind: "social_connection", name: "n", parties: [ALICE, BOB], relation_description: "d" },
    ],
    ["self", { kind: "other", name: "n" }, { kind: "self", name: "n" }],
  ];
  for (const [type, data, stored] of cases) {
    assert.deepEqual(parseBindingDocument({ subject: ALICE.slice(1), type, data }), {
      subject: ALICE,
      type,
      data: stored,
    });
  }
});

test("parseBindingDocument() refuses what is missing, mistyped or of another type, and says where [decision V14]", () => {
  const social = { name: "n", parties: [ALICE, BOB], relation_description: "d" };
  const cases: readonly (readonly [type: unknown, data: unknown, at: string])[] = [
    ["deployment_key", {}, "type"],
    [undefined, {}, "type"],
    ["self", null, "data"],
    ["self", [], "data"],
    ["self", {}, "data.name"],
    ["self", { name: 1 }, "data.name"],
    ["self", { name: "\ud800" }, "data.name"],
    ["self", Object.create({ name: "inherited" }), "data.name"],
    ["id_document", { vendor: "v", name: "n" }, "data.reference"],
    ["photograph", { photoBlob: "b", description: null }, "data.description"],
    ["social_connection", { ...social, parties: [ALICE] }, "data.parties"],
    ["social_connection", { ...social, parties: [ALICE, ALICE.toUpperCase()] }, "data.parties"],
    ["social_connection", { ...social, parties: [ALICE, BOB, ALICE] }, "data.parties"],
    ["social_connection", { ...social, parties: [ALICE, "bob"] }, "data.parties[1]"],
    ["social_connection", { ...social, parties: `${ALICE}` }, "data.parties"],
  ];
  for (const [type, data, at] of cases) {
    const refused = { code: "INVALID_BINDING_DOCUMENT", at };
    assert.throws(() => parseBindingDocument({ subject: ALICE, type, data }), refused, at);
  }
  for (const subject of ["alice", undefined, 7, null]) {
    const sent = { subject, type: "self", data: { name: "n" } };
    assert.throws(() => parseBindingDocument(sent), { code: "INVALID_BINDING_DOCUMENT", at: "subject" });
  }
});

function importKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(pointToSpki(decodePublicKey(text).point)), format: "der", type: "spki" });
}

function byOpenSsl(key: KeyObject, data: Uint8Array, raw64: Uint8Array): boolean {
  return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw64);
}
