import { canonical } from "./canonical-json.ts";
import type { EName } from "./ename.ts";
import { encodeHex } from "./hex.ts";
import { ProtocolError } from "./protocol-error.ts";
import { decodePublicKey } from "./public-key.ts";
import { type DocumentShape, isText, readMembers } from "./read-members.ts";
import { isVersion, versionToEName } from "./version-ename.ts";

/** States which key a deployment has, and who runs it where. The subject is the deployment. */
export interface DeploymentKeyDocument {
  readonly subject: EName;
  readonly type: "deployment_key";
  readonly data: {
    readonly kind: "deployment_key";
    readonly deploymentName: string;
    readonly environment: string;
    readonly deployerEname: EName;
    readonly platformEname: EName;
    readonly publicKey: string;
    readonly algorithm: "ECDSA_P256";
    /** ISO 8601. */
    readonly validFrom?: string;
    readonly validUntil?: string;
  };
}

/** States which release a deployment runs. The subject is the version. */
export interface SoftwareVersionDocument {
  readonly subject: EName;
  readonly type: "software_version";
  readonly data: {
    readonly kind: "software_version";
    readonly platformEname: EName;
    readonly versionEname: EName;
    readonly version: string;
    readonly releaseTag: string;
    readonly commitSha: string;
  };
}

/** What the hash of a document is over. */
export interface HashedDocument {
  readonly subject: string;
  readonly type: string;
  readonly data: object;
}

/** The two documents under one signature. */
export interface DeploymentDocuments {
  readonly deploymentKey: DeploymentKeyDocument;
  readonly softwareVersion: SoftwareVersionDocument;
}

const CODE = "INVALID_DEPLOYMENT";
const DOCUMENT = ["subject", "type", "data"];
const KEY_DATA = ["kind", "deploymentName", "environment", "deployerEname", "platformEname", "publicKey", "algorithm"];
const VERSION_DATA = ["kind", "platformEname", "versionEname", "version", "releaseTag", "commitSha"];

/**
 * Parses the document that names a deployment's key.
 *
 * Refuses: INVALID_DEPLOYMENT with the member, also for a key that is not a P-256 key.
 * Source: S3 "Platform authentication"; decision A1.
 */
export function parseDeploymentKeyDocument(value: unknown): DeploymentKeyDocument {
  const optional = ["validFrom", "validUntil"];
  const { outer, data, read } = openDocument(value, { what: "deployment key document", members: KEY_DATA, optional });
  const times = optional.filter((name) => Object.hasOwn(data, name)).map((name) => [name, read.time(name)]);
  return {
    subject: outer.ename("subject"),
    type: outer.oneOf("type", ["deployment_key"]),
    data: {
      kind: read.oneOf("kind", ["deployment_key"]),
      deploymentName: read.text("deploymentName"),
      environment: read.text("environment"),
      deployerEname: read.ename("deployerEname"),
      platformEname: read.ename("platformEname"),
      publicKey: read.judged("publicKey", isKey, "must be a P-256 public key"),
      algorithm: read.oneOf("algorithm", ["ECDSA_P256"]),
      ...Object.fromEntries(times),
    },
  };
}

/**
 * Parses the document that names a release; its eName must follow from platform and version.
 *
 * Refuses: INVALID_DEPLOYMENT with the member. Source: S3 "Platform authentication"; decision A1.
 */
export function parseSoftwareVersionDocument(value: unknown): SoftwareVersionDocument {
  const { outer, read } = openDocument(value, { what: "software version document", members: VERSION_DATA });
  const document: SoftwareVersionDocument = {
    subject: outer.ename("subject"),
    type: outer.oneOf("type", ["software_version"]),
    data: {
      kind: read.oneOf("kind", ["software_version"]),
      platformEname: read.ename("platformEname"),
      versionEname: read.ename("versionEname"),
      version: read.judged("version", isVersion, "must be a version"),
      releaseTag: read.text("releaseTag"),
      commitSha: read.text("commitSha"),
    },
  };
  const derived = versionToEName(document.data.platformEname, document.data.version);
  if (document.subject !== derived || document.data.versionEname !== derived) {
    throw new ProtocolError(
      CODE,
      `This is not a software version document: the version's eName is ${derived}.`,
      "versionEname",
    );
  }
  return document;
}

/**
 * Computes the hash of a document: lower-case hex SHA-256 of its canonical subject, type and data, without signatures.
 *
 * Refuses: INVALID_JSON for a value without a canonical form. Source: decision A1.
 */
export async function documentHash(document: HashedDocument): Promise<string> {
  const text = new TextEncoder().encode(documentText(document));
  return encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

/** Writes the text whose hash a bundle lists. Refuses: INVALID_JSON for what has no canonical form. Source: decision A1. */
export function documentText({ subject, type, data }: HashedDocument): string {
  return canonical({ subject, type, data });
}

/**
 * Writes the `signedPayload` of an attestation bundle, which is stored unchanged: the hashes of both documents. The
 * deployer signs it under the prefix `deployment`.
 *
 * Refuses: never for documents from the parsers above. Source: S3 "Canonical payloads"; decision A1.
 */
export async function deploymentBundleText({ deploymentKey, softwareVersion }: DeploymentDocuments): Promise<string> {
  const documents = await Promise.all(
    [deploymentKey, softwareVersion].map(async (document) => ({
      subject: document.subject,
      type: document.type,
      hash: await documentHash(document),
    })),
  );
  return JSON.stringify({ type: "deployment_attestation_bundle", version: 1, documents });
}

function openDocument(value: unknown, shape: Omit<DocumentShape, "code">) {
  const outer = readMembers(value, { code: CODE, what: shape.what, members: DOCUMENT });
  const data = outer.judged("data", isObject, "must be an object");
  return { outer, data, read: readMembers(data, { code: CODE, ...shape }) };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isKey(value: unknown): value is string {
  try {
    return isText(value) && decodePublicKey(value) !== undefined;
  } catch {
    return false;
  }
}
