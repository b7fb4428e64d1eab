import { readMembers } from "@dataspace/protocol/read-members";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import type { EName } from "@dataspace/protocol/ename";
import { type Members, readOrUndefined, toEName, toMembers, toText } from "./read-members.ts";

/** One document as a bundle lists it. */
export interface ListedDocument {
  readonly subject: EName;
  readonly type: "deployment_key" | "software_version";
  readonly hash: string;
}

/** The attestation bundle of some evidence. */
export interface BundleReading {
  readonly signer: EName | undefined;
  readonly signature: string | undefined;
  /** The signed text, byte for byte. */
  readonly signedPayload: string;
  /** Whether every other bundle text in the evidence is the same. */
  readonly isOnlyText: boolean;
  /** The documents that the text lists; undefined for a text that is not a bundle. */
  readonly listed: readonly ListedDocument[] | undefined;
}

const TYPES = ["deployment_key", "software_version"] as const;

/**
 * Reads the attestation bundle: the member `attestationBundle`, or else the key document's first signature of scope `bundle`.
 *
 * Out: undefined when there is none. Refuses: never. Source: decision A1.
 */
export function readBundle(evidence: Members): BundleReading | undefined {
  const signatures = ["deploymentKeyDocument", "softwareVersionDocument"].flatMap((name) => bundlesOf(evidence[name]));
  const bundle = toMembers(evidence["attestationBundle"]) ?? bundlesOf(evidence["deploymentKeyDocument"])[0];
  const signedPayload = toText(bundle?.["signedPayload"]);
  if (bundle === undefined || signedPayload === undefined) return undefined;
  return {
    signer: toEName(bundle["signer"]),
    signature: toText(bundle["signature"]),
    signedPayload,
    isOnlyText: signatures.every((other) => other["signedPayload"] === signedPayload),
    listed: readOrUndefined(() => readListed(parseSignedJson(signedPayload))),
  };
}

function bundlesOf(document: unknown): readonly Members[] {
  const signatures = toMembers(document)?.["signatures"];
  const listed = Array.isArray(signatures) ? signatures.map(toMembers) : [];
  return listed.filter((signature) => signature !== undefined).filter(({ scope }) => scope === "bundle");
}

// Two entries, one of each type: a bundle with more could cover one document twice.
function readListed(value: unknown): readonly ListedDocument[] | undefined {
  const shape = { code: "INVALID_DEPLOYMENT", what: "attestation bundle" } as const;
  const bundle = readMembers(value, { ...shape, members: ["type", "version", "documents"] });
  bundle.oneOf("type", ["deployment_attestation_bundle"]);
  bundle.oneOf("version", [1]);
  const entries = bundle.judged("documents", isPair, "must be two documents");
  const listed = entries.map((entry) => {
    const read = readMembers(entry, { ...shape, members: ["subject", "type", "hash"] });
    return { subject: read.ename("subject"), type: read.oneOf("type", TYPES), hash: read.text("hash") };
  });
  return listed[0]?.type === listed[1]?.type ? undefined : listed;
}

function isPair(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length === 2;
}
