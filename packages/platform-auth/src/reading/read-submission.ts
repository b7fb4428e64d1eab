import { canonical } from "@dataspace/protocol/canonical-json";
import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { parseSignedJson } from "@dataspace/protocol/signed-json";
import { SIGNED_PREFIXES } from "@dataspace/protocol/signed-payload";
import { parseReleaseSubmission, type ReleaseSubmission, releaseSubmissionText } from "../release-submission.ts";
import { payloadOf } from "./digest.ts";
import { type Members, readOrUndefined, toMembers, toPoint, toText } from "./read-members.ts";

/** The release submission of some evidence, with its proof. */
export interface SubmissionReading {
  /** Whether every member that is needed is there. */
  readonly isWhole: boolean;
  /** The statement that was signed; undefined when its text is not a submission. */
  readonly statement: ReleaseSubmission | undefined;
  /** Whether the presented statement says what the signed text says. */
  readonly isSameStatement: boolean;
  /** The payload computed from the signed text, and the one presented. */
  readonly payload: string | undefined;
  readonly presentedPayload: string | undefined;
  /** The base64url SHA-256 of the signed text. */
  readonly sha256: string | undefined;
  readonly signature: string | undefined;
  readonly point: Uint8Array | undefined;
  /** The parsed certificate; undefined for a text that is not a token. */
  readonly keyCertificate: CompactJws | undefined;
  /** The point that the certificate names for the author at the time of the statement; it counts once the certificate is verified. */
  readonly certifiedPoint: Uint8Array | undefined;
}

/** The text that was signed, what it holds, and the payload computed from it. */
interface SignedStatement {
  readonly value: unknown;
  readonly payload: string;
}

/** Reads the proof of a release submission. Out: undefined when there is none. Refuses: never. Source: decision A1. */
export function readSubmission(value: unknown): SubmissionReading | undefined {
  const proof = toMembers(value);
  if (proof === undefined) return undefined;
  const statement = toMembers(proof["statement"]);
  const presentedPayload = toText(proof["payload"]);
  const signed = findSignedStatement(proof, statement, presentedPayload);
  const said = signed && readOrUndefined(() => parseReleaseSubmission(signed.value));
  const reading = {
    presentedPayload,
    signature: toText(proof["signature"]),
    keyBindingCertificate: toText(proof["keyBindingCertificate"]),
  };
  const keyCertificate = readOrUndefined(() => parseCompactJws(reading.keyBindingCertificate as string));
  return {
    presentedPayload,
    signature: reading.signature,
    keyCertificate,
    certifiedPoint: said && keyCertificate && readOrUndefined(() => certifiedPointOf(keyCertificate, said)),
    isWhole: [statement, toText(proof["publicKey"]), ...Object.values(reading)].every((member) => member !== undefined),
    statement: said,
    isSameStatement: signed !== undefined && statement !== undefined && isSame(signed.value, statement),
    payload: signed?.payload,
    sha256: signed?.payload.slice(SIGNED_PREFIXES.release.length),
    point: toPoint(proof["publicKey"]),
  };
}

// The time is that of the signed statement. The presenter's `verifiedAt` would let an old certificate count at any time.
function certifiedPointOf({ payload }: CompactJws, { signerEName: ename, issuedAt }: ReleaseSubmission): Uint8Array {
  return validateKeyBindingClaims(payload, { ename, nowSeconds: Date.parse(issuedAt) / 1000 }).point;
}

// Without the text, it is the statement's JSON in the order that was received, or in the fixed order.
function findSignedStatement(
  proof: Members,
  statement: Members | undefined,
  presentedPayload: string | undefined,
): SignedStatement | undefined {
  const { statementText } = proof;
  if (statementText !== undefined)
    return typeof statementText === "string" ? signedStatement(statementText) : undefined;
  if (statement === undefined) return undefined;
  const received = signedStatement(JSON.stringify(statement));
  if (received?.payload === presentedPayload) return received;
  const ordered = readOrUndefined(() => releaseSubmissionText(parseReleaseSubmission(statement)));
  const fixed = ordered === undefined ? undefined : signedStatement(ordered);
  return fixed?.payload === presentedPayload ? fixed : received;
}

function signedStatement(text: string): SignedStatement | undefined {
  const value = readOrUndefined(() => parseSignedJson(text));
  return value === undefined ? undefined : { value, payload: payloadOf("release", text) };
}

function isSame(signed: unknown, presented: Members): boolean {
  return readOrUndefined(() => canonical(signed) === canonical(presented)) === true;
}
