import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { bindingDocumentText, parseBindingDocument } from "@dataspace/protocol/binding-document";
import { deploymentBundleText } from "@dataspace/protocol/deployment-attestation";
import { parseEName } from "@dataspace/protocol/ename";
import { ownerPolicyPayload, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import { signedPayload } from "@dataspace/protocol/signed-payload";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import vectors from "../../../vectors/signed-payloads.json" with { type: "json" };
import { createNodeCryptoKey } from "./node-crypto-key.ts";
import { signAccessPolicy } from "./sign-access-policy.ts";
import { signBindingDocument } from "./sign-binding-document.ts";
import { signDeployment } from "./sign-deployment.ts";
import { describeText } from "./text-meaning.ts";

const ENAME = parseEName("@33333333-3333-4333-8333-333333333333");
const AT = "2026-01-15T12:00:00.000Z";
const key = createNodeCryptoKey();
const ada = { ename: ENAME, key, clock: { nowMs: () => Date.parse(AT) } };
const { deploymentKeyDocument, softwareVersionDocument } = vectors.own.deployment;

const SELF = { subject: ENAME.slice(1).toUpperCase(), type: "self", data: { kind: "self", name: "Ada Ünï" } };
const TERMS = {
  minimumLevel: "L3",
  reputationEngine: null,
  minimumReputation: null,
  allowedDomains: ["social"],
  deniedDomains: [],
} as const;
const DEPLOYMENT = {
  deploymentEname: parseEName(deploymentKeyDocument.subject),
  deploymentName: "chatter-eu",
  environment: "production",
  publicKey: deploymentKeyDocument.data.publicKey,
  platformEname: parseEName(softwareVersionDocument.data.platformEname),
  version: "1.4.0",
  releaseTag: "v1.4.0",
  commitSha: "a".repeat(40),
};

async function holds(text: string, signature: string): Promise<boolean> {
  const spki = Buffer.from(pointToSpki(decodePublicKey(key.publicKey).point));
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const byOpenSsl = (signer: typeof publicKey, data: Uint8Array, raw64: Uint8Array) =>
    verify("sha256", data, { key: signer, dsaEncoding: "ieee-p1363" }, raw64);
  const data = new TextEncoder().encode(text);
  return (await verifySignature(byOpenSsl, { key: publicKey, data, signature })) !== undefined;
}

test("signBindingDocument() signs the canonical document and names signer and time [S1 Binding document, decision V14] [V-BIND-034]", async () => {
  const { document, signature } = await signBindingDocument(SELF, ada);
  assert.deepEqual(document, { ...SELF, subject: ENAME });
  assert.deepEqual([signature.signer, signature.timestamp], [ENAME, AT]);
  assert.ok(await holds(bindingDocumentText(parseBindingDocument(SELF)), signature.signature));
});

test("signAccessPolicy() signs the owner's whole statement under its prefix [S3 Canonical payloads] [P-CAN-004]", async () => {
  const { statement, payload, signature, signer } = await signAccessPolicy(TERMS, ada);
  const fixed = { type: "ds.vault.access-policy", schemaVersion: 1, subject: ENAME, issuedAt: AT };
  assert.deepEqual(statement, { ...fixed, ...TERMS, nonce: statement.nonce });
  assert.equal(signer, ENAME);
  assert.equal(payload, await ownerPolicyPayload(parseOwnerPolicy(statement)));
  assert.ok(await holds(payload, signature));
  assert.notEqual((await signAccessPolicy(TERMS, ada)).statement.nonce, statement.nonce);
});

test("signDeployment() makes the published documents and bundle, signed under its prefix [S3 Platform authentication, decision A1] [P-CAN-002] [P-CAN-007] [P-CAN-021]", async () => {
  const made = await signDeployment(DEPLOYMENT, ada);
  const { signatures: first, ...deploymentKey } = made.deploymentKeyDocument;
  const { signatures: second, ...softwareVersion } = made.softwareVersionDocument;
  assert.deepEqual(
    { deploymentKey, softwareVersion },
    { deploymentKey: deploymentKeyDocument, softwareVersion: softwareVersionDocument },
  );
  const { signature, signedPayload: bundleText, ...bundle } = made.attestationBundle;
  assert.equal(bundleText, vectors.own.deployment.signedPayload);
  assert.equal(bundleText, await deploymentBundleText({ deploymentKey, softwareVersion }));
  assert.deepEqual(bundle, { signer: ENAME, timestamp: AT, scope: "bundle" });
  assert.deepEqual([first, second], [[made.attestationBundle], [made.attestationBundle]]);
  assert.ok(await holds(vectors.own.deployment.payload, signature));
});

test("no signature over a document, a policy, a deployment or a session is valid for another of them [decision I8] [V-DEC-262]", async () => {
  const policy = await signAccessPolicy(TERMS, ada);
  const { attestationBundle } = await signDeployment(DEPLOYMENT, ada);
  const { document, signature } = await signBindingDocument(SELF, ada);
  const signed = [
    [bindingDocumentText(document), signature.signature],
    [policy.payload, policy.signature],
    [await signedPayload("deployment", attestationBundle.signedPayload), attestationBundle.signature],
  ] as const;
  const kinds = signed.map(([text]) => describeText(text).kind);
  assert.deepEqual(kinds, ["bindingDocument", "accessPolicy", "deployment"]);
  for (const [text] of signed) {
    assert.ok(!isSignableSession(text));
    assert.equal((await Promise.all(signed.map(([, other]) => holds(text, other)))).filter(Boolean).length, 1);
  }
});

test("a document that verifiers would refuse is not signed, and the member is named [decision A1]", async () => {
  const refused = [
    [() => signBindingDocument({ ...SELF, data: {} }, ada), /data\.name/],
    [() => signBindingDocument({ ...SELF, type: "deployment_key" }, ada), /type/],
    [() => signAccessPolicy({ ...TERMS, minimumLevel: "L9" as "L5" }, ada), /minimumLevel/],
    [() => signAccessPolicy({ ...TERMS, deniedDomains: ["Social"] }, ada), /deniedDomains/],
    [() => signAccessPolicy({ ...TERMS, unless: [] } as typeof TERMS, ada), /unless/],
    [() => signDeployment({ ...DEPLOYMENT, version: "1.4.0 " }, ada), /version/],
    [() => signDeployment({ ...DEPLOYMENT, publicKey: "z0" }, ada), /publicKey/],
    [() => signDeployment({ ...DEPLOYMENT, environment: "" }, ada), /environment/],
  ] as const;
  for (const [sign, message] of refused)
    await assert.rejects(sign, { name: "WalletError", code: "INVALID_DOCUMENT", message });
});
