import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { buildBundle } from "@dataspace/protocol/deployment-bundle";
import { parseEName } from "@dataspace/protocol/ename";
import type { Evidence, HandshakeRequest } from "../evidence.ts";
import { buildEvidence } from "./build-evidence.ts";
import { buildSubmission, toSubmissionProof } from "./build-submission.ts";
import { issueCertificate } from "./issue-certificate.ts";
import { signChallenge } from "./sign-challenge.ts";

const file = path.join(import.meta.dirname, "../../../../vectors/handshake.json");
const vector = JSON.parse(await readFile(file, "utf8")).own as {
  readonly clock: string;
  readonly challengePayload: string;
  readonly bundlePayload: string;
  readonly request: HandshakeRequest;
};
const { evidence, challenge } = vector.request;
const nowMs = Date.parse(vector.clock);
const author = { publicKey: evidence.submissionProof.publicKey, keyBindingCertificate: "a.b.c" };
/** Gives the text itself in place of its signature. */
const echo = async (text: string) => text;

test("the submission of the published handshake is built byte for byte [S3 Canonical payloads] [P-CAN-003]", async () => {
  const { statement, statementText, payload } = evidence.submissionProof;
  const { type: _type, schemaVersion: _version, ...input } = statement;
  const submission = await buildSubmission(input, { ...author, sign: echo });
  assert.deepEqual(submission, { ...author, statementText, payload, signature: payload });
  assert.deepEqual(toSubmissionProof(submission, "2026-01-15T12:00:00.000Z").statement, statement);
});

test("a submission is not signed with a member that nobody knows, a domain twice or another spelling of a version [decision A1]", async () => {
  const { type: _type, schemaVersion: _version, ...input } = evidence.submissionProof.statement;
  const spoilt = [{ note: "x" }, { domains: ["social", "social"] }, { domains: ["Social"] }, { version: "1.4.0 " }];
  for (const change of spoilt) {
    const built = buildSubmission({ ...input, ...change }, { ...author, sign: () => assert.fail("it was signed") });
    await assert.rejects(built, { code: "INVALID_SUBMISSION" });
  }
});

test("the bundle of the published handshake is built byte for byte, and the evidence around it [P-CAN-002] [P-CAN-007]", async () => {
  const { deploymentKeyDocument: key, softwareVersionDocument: version } = evidence;
  const made = await buildBundle(
    { ...version.data, ...key.data, deploymentEname: key.subject },
    { ename: evidence.deployerEname, sign: echo, nowMs },
  );
  assert.equal(made.attestationBundle.signedPayload, evidence.attestationBundle.signedPayload);
  assert.equal(made.attestationBundle.signature, vector.bundlePayload);
  const { issuerJwksUri: _unused, ...built } = evidence;
  const signed: Evidence = { ...built, publicKey: key.data.publicKey };
  assert.deepEqual(buildEvidence(evidence, evidence.submissionProof, evidence.accreditationJws), signed);
});

test("a deployment signs its own verifier's challenge, and no relayed, long or guessable one [decision A1]", async () => {
  const dialled = { audience: challenge.audience, nowMs };
  assert.equal(await signChallenge(challenge, dialled, echo), vector.challengePayload);
  const refused = { code: "CHALLENGE_REFUSED" };
  const other = parseEName("@99999999-9999-4999-8999-999999999999");
  await assert.rejects(signChallenge(challenge, { ...dialled, audience: other }, echo), refused);
  await assert.rejects(signChallenge({ ...challenge, nonce: "short" }, dialled, echo), refused);
  const late = { ...challenge, expiresAt: new Date(nowMs + 300_001).toISOString() };
  await assert.rejects(signChallenge(late, dialled, echo), refused);
  await assert.rejects(signChallenge({ ...challenge, extra: 1 }, dialled, echo), { code: "INVALID_CHALLENGE" });
});

test("a certificate carries the submission's hash, submitter and deployers, and grants only what was asked for [P-CRT-001] [P-CRT-002] [P-CRT-011]", async () => {
  const signer = { kid: "ppa-1", sign: () => new Uint8Array(64).fill(1) };
  const reviewer = parseEName("@55555555-5555-4555-8555-555555555555");
  const input = {
    issuer: "https://ppa.example",
    statementText: evidence.submissionProof.statementText,
    level: "L3",
    domains: ["social"],
    reviewer,
    jti: "cert-1",
    issuedAtSeconds: 1_768_482_000,
    expiresAtSeconds: 1_776_258_000,
    status: { idx: 7, uri: "https://ppa.example/status/1" },
  } as const;
  const { certificate, claims } = await issueCertificate(signer, input);
  const { header, payload } = parseCompactJws(certificate);
  assert.deepEqual({ ...header }, { alg: "ES256", kid: "ppa-1", typ: "ds-cert+jwt" });
  assert.deepEqual(payload, claims);
  const published = parseCompactJws(evidence.accreditationJws).payload;
  for (const member of ["iss", "sub", "version", "version_ename", "submission_sha256", "submitter", "level"] as const) {
    assert.equal(payload[member], published[member], member);
  }
  const wide = issueCertificate(signer, { ...input, domains: ["social", "finance"] });
  await assert.rejects(wide, { code: "DOMAINS_NOT_REQUESTED" });
});
