import assert from "node:assert/strict";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { test } from "node:test";
import vectors from "../../../vectors/signed-payloads.json" with { type: "json" };
import {
  deploymentBundleText,
  documentHash,
  parseDeploymentKeyDocument,
  parseSoftwareVersionDocument,
} from "./deployment-attestation.ts";
import { handshakePayload, parseHandshakeChallenge } from "./handshake-challenge.ts";
import { ownerPolicyPayload, parseOwnerPolicy } from "./owner-policy.ts";
import { decodePublicKey, pointToSpki } from "./public-key.ts";
import { verifySignature } from "./signature.ts";
import { SIGNED_PREFIXES, signedPayload } from "./signed-payload.ts";

const { handshake, deployment, release, accessPolicy, publicKeys } = vectors.own;
const deploymentKey = deployment.deploymentKeyDocument;
const softwareVersion = deployment.softwareVersionDocument;

test("a handshake's payload is of its challenge's four members, keys sorted [S3 Canonical payloads, decision A1] [P-CAN-001] [P-CAN-006] [P-CAN-020] [P-VRS-001]", async () => {
  const challenge = parseHandshakeChallenge(handshake.challenge);
  assert.equal(await handshakePayload(challenge), handshake.payload);
  assert.equal(await handshakePayload({ ...challenge, deploymentEname: "@x" } as typeof challenge), handshake.payload);
  assert.equal(await signedPayload("handshake", handshake.canonical), handshake.payload);
});

test("a deployment's payload is of the bundle's text as stored, and the bundle holds both documents' hashes [S3 Canonical payloads, decision A1] [P-CAN-002] [P-CAN-007] [P-CAN-021]", async () => {
  const documents = {
    deploymentKey: parseDeploymentKeyDocument(deploymentKey),
    softwareVersion: parseSoftwareVersionDocument(softwareVersion),
  };
  assert.deepEqual(documents, { deploymentKey, softwareVersion });
  assert.equal(await documentHash(documents.deploymentKey), deployment.documentHashes.deployment_key);
  assert.equal(await documentHash(documents.softwareVersion), deployment.documentHashes.software_version);
  assert.equal(await deploymentBundleText(documents), deployment.signedPayload);
  assert.equal(await signedPayload("deployment", deployment.signedPayload), deployment.payload);
  assert.notEqual(await signedPayload("deployment", ` ${deployment.signedPayload}`), deployment.payload);
});

test("a release's payload is of the statement's JSON text [S3 Canonical payloads] [P-CAN-003] [P-CAN-005]", async () => {
  assert.equal(await signedPayload("release", release.statementText), release.payload);
});

test("an access policy's payload is of its canonical statement [S3 Canonical payloads] [P-CAN-004] [P-CAN-006]", async () => {
  const statement = parseOwnerPolicy(accessPolicy.statement);
  assert.deepEqual(statement, accessPolicy.statement);
  assert.equal(await ownerPolicyPayload(statement), accessPolicy.payload);
  assert.equal(await signedPayload("accessPolicy", accessPolicy.canonical), accessPolicy.payload);
});

test("the published signatures verify over their own payload and over no other [S3 Canonical payloads]", async () => {
  const signed = { handshake, deployment, release, accessPolicy };
  for (const [kind, { signer, signature }] of Object.entries(signed)) {
    for (const [other, { payload }] of Object.entries(signed)) {
      const key = importKey(publicKeys[signer as keyof typeof publicKeys]);
      const verified = await verifySignature(byOpenSsl, { key, data: Buffer.from(payload), signature });
      assert.equal(verified !== undefined, kind === other, `${kind} over ${other}`);
    }
  }
});

test("no prefix begins another, so that no payload of one kind is one of another kind [S3 Canonical payloads] [P-VRS-001]", () => {
  const prefixes = Object.values(SIGNED_PREFIXES);
  for (const prefix of prefixes) {
    assert.match(prefix, /:v1:$/);
    assert.deepEqual(
      prefixes.filter((other) => other.startsWith(prefix)),
      [prefix],
    );
  }
});

/** Each reader with valid input, and changes of one member that it must refuse. */
const REFUSED = [
  {
    read: parseHandshakeChallenge,
    code: "INVALID_CHALLENGE",
    takes: handshake.challenge,
    changes: { nonce: "", audience: 7, issuedAt: "yesterday", expiresAt: null, deploymentEname: "@x" },
  },
  {
    read: parseOwnerPolicy,
    code: "INVALID_ACCESS_POLICY",
    takes: accessPolicy.statement,
    changes: {
      type: "ds.access-policy",
      schemaVersion: 2,
      subject: "@alice",
      minimumLevel: "L6",
      reputationEngine: "engine",
      minimumReputation: "40",
      allowedDomains: "social",
      deniedDomains: ["health", "health"],
      issuedAt: 1,
      nonce: "",
      except: [],
    },
  },
  {
    read: parseDeploymentKeyDocument,
    code: "INVALID_DEPLOYMENT",
    takes: deploymentKey,
    changes: {
      subject: "@alice",
      type: "software_version",
      data: null,
      signatures: [],
      ...inData(deploymentKey.data, {
        publicKey: "z0",
        algorithm: "RSA",
        validUntil: "soon",
        deployerEname: "x",
        more: 1,
      }),
    },
  },
  {
    read: parseSoftwareVersionDocument,
    code: "INVALID_DEPLOYMENT",
    takes: softwareVersion,
    changes: {
      subject: deploymentKey.subject,
      type: "deployment_key",
      data: [],
      ...inData(softwareVersion.data, {
        version: "1.4.1",
        releaseTag: "",
        commitSha: 1,
        versionEname: deploymentKey.subject,
      }),
    },
  },
] as const;

for (const { read, code, takes, changes } of REFUSED) {
  test(`${read.name}() refuses a member that is missing, mistyped or unknown [decision A1]`, () => {
    read(takes);
    const faulty = Object.entries(changes).map(([name, value]) => ({
      ...takes,
      [name.split("/")[0] as string]: value,
    }));
    const missing = Object.keys(takes).map((name) => ({ ...takes, [name]: undefined }));
    for (const value of [...faulty, ...missing, null, [], "x"]) {
      assert.throws(() => read(value), { code }, JSON.stringify(value));
    }
  });
}

/** Changes of one member of `data`, under distinct names. */
function inData(data: object, changes: object): Record<string, object> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [`data/${name}`, { ...data, [name]: value }]),
  );
}

function importKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(pointToSpki(decodePublicKey(text).point)), format: "der", type: "spki" });
}

function byOpenSsl(key: KeyObject, data: Uint8Array, raw64: Uint8Array): boolean {
  return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw64);
}
