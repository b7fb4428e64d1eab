import {
  type DeploymentKeyDocument,
  documentHash,
  parseDeploymentKeyDocument,
  parseSoftwareVersionDocument,
  type SoftwareVersionDocument,
} from "@dataspace/protocol/deployment-attestation";
import type { EName } from "@dataspace/protocol/ename";
import { readOrUndefined, toEName, toMembers, toText } from "./read-members.ts";

/** A binding document of some evidence. */
export interface DocumentReading<Document> {
  /** The document; undefined when it is not what its type asks for. */
  readonly document: Document | undefined;
  /** The subject as it was presented. */
  readonly subject: EName | undefined;
  /** The hash of the document as it was presented, lower-case hex; undefined when it has none. */
  readonly hash: string | undefined;
}

/** Reads the document that names the deployment's key. Out: undefined when there is none. Refuses: never. Source: decision A1. */
export function readKeyDocument(value: unknown): Promise<DocumentReading<DeploymentKeyDocument> | undefined> {
  return readDocument(value, parseDeploymentKeyDocument);
}

/** Reads the document that names the release. Out: undefined when there is none. Refuses: never. Source: decision A1. */
export function readVersionDocument(value: unknown): Promise<DocumentReading<SoftwareVersionDocument> | undefined> {
  return readDocument(value, parseSoftwareVersionDocument);
}

async function readDocument<Document>(
  value: unknown,
  parse: (value: unknown) => Document,
): Promise<DocumentReading<Document> | undefined> {
  const members = toMembers(value);
  if (members === undefined) return undefined;
  const { subject, type, data } = members;
  const presented = { subject: toText(subject), type: toText(type), data: toMembers(data) };
  return {
    document: readOrUndefined(() => parse({ subject, type, data })),
    subject: toEName(subject),
    hash: await hashOf(presented),
  };
}

async function hashOf(presented: {
  readonly subject: string | undefined;
  readonly type: string | undefined;
  readonly data: object | undefined;
}): Promise<string | undefined> {
  const { subject, type, data } = presented;
  if (subject === undefined || type === undefined || data === undefined) return undefined;
  try {
    return await documentHash({ subject, type, data });
  } catch {
    return undefined; // what has no canonical form is covered by no hash
  }
}
