import {
  type DeploymentKeyDocument,
  documentText,
  parseDeploymentKeyDocument,
  parseSoftwareVersionDocument,
  type SoftwareVersionDocument,
} from "@dataspace/protocol/deployment-attestation";
import type { EName } from "@dataspace/protocol/ename";
import { sha256Hex } from "./digest.ts";
import { readOrUndefined, toEName, toMembers, toPoint, toText } from "./read-members.ts";

/** A binding document of some evidence. */
export interface DocumentReading<Document> {
  /** The document; undefined when it is not what its type asks for. */
  readonly document: Document | undefined;
  /** The point of the key that the document names. */
  readonly point: Uint8Array | undefined;
  /** The subject as it was presented. */
  readonly subject: EName | undefined;
  /** The hash of the document as it was presented, lower-case hex; undefined when it has none. */
  readonly hash: string | undefined;
}

/** Reads the document that names the deployment's key. Out: undefined when there is none. Refuses: never. Source: decision A1. */
export function readKeyDocument(value: unknown): DocumentReading<DeploymentKeyDocument> | undefined {
  return readDocument(value, parseDeploymentKeyDocument);
}

/** Reads the document that names the release. Out: undefined when there is none. Refuses: never. Source: decision A1. */
export function readVersionDocument(value: unknown): DocumentReading<SoftwareVersionDocument> | undefined {
  return readDocument(value, parseSoftwareVersionDocument);
}

function readDocument<Document>(
  value: unknown,
  parse: (value: unknown) => Document,
): DocumentReading<Document> | undefined {
  const members = toMembers(value);
  if (members === undefined) return undefined;
  const { subject, type, data } = members;
  return {
    document: readOrUndefined(() => parse({ subject, type, data })),
    point: toPoint(toMembers(data)?.["publicKey"]),
    subject: toEName(subject),
    hash: hashOf(toText(subject), toText(type), toMembers(data)),
  };
}

// What has no canonical form is covered by no hash.
function hashOf(subject: string | undefined, type: string | undefined, data: object | undefined): string | undefined {
  if (subject === undefined || type === undefined || data === undefined) return undefined;
  return readOrUndefined(() => sha256Hex(documentText({ subject, type, data })));
}
