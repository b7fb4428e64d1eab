import { buildBundle, type DeploymentAttestation, type DeploymentInput } from "@dataspace/protocol/deployment-bundle";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { writeCompactJws } from "@dataspace/protocol/write-compact-jws";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";
import { CERTIFICATE_TYP } from "../certificate.ts";
import type { Evidence } from "../evidence.ts";
import type { SubmissionProof } from "../release-submission.ts";
import { buildEvidence } from "../signing/build-evidence.ts";
import { buildSubmission, type SubmissionInput, toSubmissionProof } from "../signing/build-submission.ts";
import { issueCertificate } from "../signing/issue-certificate.ts";
import { createTestKey, type TestKey } from "./test-key.ts";

/** What a test may choose of a platform; the rest is made. Times are milliseconds since the epoch. */
export interface TestPlatformConfig {
  readonly issuer: string;
  readonly nowMs: number;
  readonly registry?: TestKey;
  readonly authority?: TestKey;
  readonly platform?: string;
  /** Certifies keys in the registry's place. */
  readonly bindKey?: TestPlatform["bindKey"];
  readonly author?: { readonly ename: EName; readonly key: TestKey };
  readonly level?: CertificationLevel;
  /** What the certificate grants, and what the submission asks for. */
  readonly granted?: readonly string[];
  readonly requested?: readonly string[];
  readonly status?: { readonly idx: number; readonly uri: string };
}

/** A platform with one deployment, everything signed; parts are signed again with changes for tests of what must fail. */
export interface TestPlatform {
  readonly registry: TestKey;
  readonly authority: TestKey;
  readonly author: { readonly ename: EName; readonly key: TestKey };
  readonly deploymentKey: TestKey;
  readonly evidence: Evidence;
  readonly submit: (change?: Partial<SubmissionInput>, key?: TestKey) => Promise<SubmissionProof>;
  readonly attest: (
    change?: Partial<DeploymentInput>,
    deployer?: { ename: EName; key: TestKey },
  ) => Promise<DeploymentAttestation>;
  /** Signs the certificate's claims again, with some of them changed; undefined removes one. */
  readonly certify: (change: Readonly<Record<string, unknown>>, key?: TestKey, typ?: string) => Promise<string>;
  /** Certifies that a key is an eName's, from `issuedAtMs` on for an hour. */
  readonly bindKey: (ename: EName, publicKey: string, issuedAtMs?: number) => Promise<string>;
}

const HOUR_SECONDS = 3600;
const CERTIFICATE_SECONDS = 90 * 86_400;
const PLATFORM = "@11111111-2222-4333-8444-555555555555";
const DEPLOYMENT = parseEName("@22222222-2222-4222-8222-222222222222");
const AUTHOR = parseEName("@33333333-3333-4333-8333-333333333333");
const REVIEWER = parseEName("@55555555-5555-4555-8555-555555555555");
const COMMIT = "a".repeat(40);

/** Makes a platform whose evidence holds at every link. Refuses: never. */
export async function createTestPlatform(config: TestPlatformConfig): Promise<TestPlatform> {
  const { nowMs } = config;
  const nowSeconds = Math.floor(nowMs / 1000);
  const registry = config.registry ?? createTestKey("registry-1");
  const authority = config.authority ?? createTestKey("authority-1");
  const author = config.author ?? { ename: AUTHOR, key: createTestKey("author") };
  const deploymentKey = createTestKey("deployment");
  const bindHere: TestPlatform["bindKey"] = (ename, publicKey, issuedAtMs = nowMs) => {
    const iat = Math.floor(issuedAtMs / 1000);
    return writeCompactJws(registry, "JWT", { ename, publicKey, iat, exp: iat + HOUR_SECONDS });
  };
  const bindKey = config.bindKey ?? bindHere;
  const submit: TestPlatform["submit"] = async (change, key = author.key) => {
    const input = { ...submissionOf(config, author.ename), ...change };
    const keyBindingCertificate = await bindKey(input.signerEName, key.publicKey);
    const signer = { sign: key.signText, publicKey: key.publicKey, keyBindingCertificate };
    return toSubmissionProof(await buildSubmission(input, signer), new Date(nowMs).toISOString());
  };
  const attest: TestPlatform["attest"] = (change, deployer = author) => {
    const input = { ...deploymentOf(config, deploymentKey), ...change };
    return buildBundle(input, { ename: deployer.ename, sign: deployer.key.signText, nowMs });
  };
  const submissionProof = await submit();
  const { claims, certificate } = await issueCertificate(authority, {
    issuer: config.issuer,
    statementText: submissionProof.statementText,
    level: config.level ?? "L3",
    domains: submissionProof.statement.domains,
    reviewer: REVIEWER,
    jti: "certificate-1",
    issuedAtSeconds: nowSeconds - 60,
    expiresAtSeconds: nowSeconds - 60 + CERTIFICATE_SECONDS,
    ...(config.status === undefined ? {} : { status: config.status }),
  });
  const certify: TestPlatform["certify"] = (change, key = authority, typ = CERTIFICATE_TYP) =>
    writeCompactJws(key, typ, {
      ...claims,
      ...(config.granted === undefined ? {} : { domains: config.granted }),
      ...change,
    });
  const accreditationJws = config.granted === undefined ? certificate : await certify({});
  const evidence = buildEvidence(await attest(), submissionProof, accreditationJws);
  return { registry, authority, author, deploymentKey, evidence, submit, attest, certify, bindKey };
}

function submissionOf(config: TestPlatformConfig, signerEName: EName): SubmissionInput {
  return {
    repositoryId: 1,
    repository: "acme/chatter",
    platformEName: platformOf(config),
    platformName: "chatter",
    releaseTag: "v1.4.0",
    version: "1.4.0",
    manifestCommitId: COMMIT,
    domains: config.requested ?? ["social", "communication"],
    signerEName,
    issuedAt: new Date(config.nowMs).toISOString(),
    nonce: "bm9uY2U",
  };
}

function deploymentOf(config: TestPlatformConfig, key: TestKey): DeploymentInput {
  return {
    deploymentEname: DEPLOYMENT,
    deploymentName: "chatter-eu",
    environment: "production",
    publicKey: key.publicKey,
    platformEname: platformOf(config),
    version: "1.4.0",
    releaseTag: "v1.4.0",
    commitSha: COMMIT,
  };
}

function platformOf({ platform }: TestPlatformConfig): EName {
  return parseEName(platform ?? PLATFORM);
}
