import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseSubmissionText, submissionPayload, submissionSha256 } from "@dataspace/platform-auth/release-submission";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { RemoteKeySet } from "@dataspace/clients/remote-key-set";
import type { ReleaseSubmission, Submission } from "@dataspace/platform-auth/release-submission";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { Clock } from "@dataspace/service-kit/clock";
import { type AuthorityErrorCode, authorityRefusal } from "../errors.ts";
import type { VerifiedSubmission } from "./stored-submission.ts";

/** Verifies a submission as it was sent. Refuses: INVALID_SUBMISSION, SIGNATURE_INVALID, REGISTRY_UNAVAILABLE. */
export type VerifySubmission = (submission: Submission) => Promise<VerifiedSubmission>;

/** `keySet` is the registry's; `verifyEcdsa` takes a key as SPKI. */
export interface VerifySubmissionDeps {
  readonly clock: Clock;
  readonly keySet: Pick<RemoteKeySet, "verify">;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  readonly newUuid: () => string;
}

const LONGEST_AGE_MS = 600_000;
const SKEW_MS = 60_000;
const NONCE = /^[\x21-\x7e]{1,128}$/;

/**
 * Makes the check of a submission. The text must be a release submission of the last 10 minutes, and the payload must
 * be the text's. The registry must certify the key for the author now, and that key must have signed the payload.
 *
 * Source: S3 "Platform authentication" (release authorship); decisions A1, A6.
 */
export function createVerifySubmission(deps: VerifySubmissionDeps): VerifySubmission {
  return async (submission) => {
    const statement = readStatement(deps.clock, submission.statementText);
    const expected = await submissionPayload(submission.statementText);
    if (submission.payload !== expected)
      throw refused("SIGNATURE_INVALID", `the payload of this statementText is ${expected}`);
    const point = await certifiedPoint(deps, statement, submission);
    const signed = {
      key: pointToSpki(point),
      data: new TextEncoder().encode(expected),
      signature: submission.signature,
    };
    if ((await verifySignature(deps.verifyEcdsa, signed)) === undefined)
      throw refused("SIGNATURE_INVALID", "the signature over the payload is not by publicKey");
    return {
      id: deps.newUuid(),
      statement,
      sha256: await submissionSha256(submission.statementText),
      submission,
      receivedAt: new Date(deps.clock.nowMs()).toISOString(),
    };
  };
}

function readStatement({ nowMs }: Clock, text: string): ReleaseSubmission {
  const statement = judge("INVALID_SUBMISSION", () => parseSubmissionText(text));
  // Longer ones, or control characters, could not be stored; evidence that is judged elsewhere is not bound by this.
  if (!NONCE.test(statement.nonce))
    throw refused("INVALID_SUBMISSION", "nonce must be 1 to 128 visible ASCII characters");
  const ageMs = nowMs() - Date.parse(statement.issuedAt);
  if (ageMs > LONGEST_AGE_MS || ageMs < -SKEW_MS)
    throw refused("INVALID_SUBMISSION", "issuedAt is not within the last 10 minutes. Sign the statement again");
  return statement;
}

async function certifiedPoint(
  { keySet, clock }: VerifySubmissionDeps,
  { signerEName }: ReleaseSubmission,
  { publicKey, keyBindingCertificate }: Submission,
): Promise<Uint8Array> {
  const point = judge("SIGNATURE_INVALID", () => decodePublicKey(publicKey).point);
  const { payload } = await verifyByRegistry(keySet, keyBindingCertificate);
  const expected = { ename: signerEName, nowSeconds: clock.nowMs() / 1000 };
  const claims = judge("SIGNATURE_INVALID", () => validateKeyBindingClaims(payload, expected));
  if (!Buffer.from(claims.point).equals(point))
    throw refused("SIGNATURE_INVALID", "keyBindingCertificate certifies another key than publicKey");
  return point;
}

async function verifyByRegistry(keySet: Pick<RemoteKeySet, "verify">, certificate: string) {
  try {
    return await keySet.verify(certificate);
  } catch (error) {
    if (error instanceof ProtocolError) throw refused("SIGNATURE_INVALID", error.message);
    if (!(error instanceof UpstreamError)) throw error;
    throw authorityRefusal(
      "REGISTRY_UNAVAILABLE",
      "The registry does not answer now. Send the submission again later.",
    );
  }
}

function judge<T>(code: AuthorityErrorCode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ProtocolError ? refused(code, error.message) : error;
  }
}

function refused(code: AuthorityErrorCode, why: string) {
  return authorityRefusal(code, `The submission is refused: ${why.replace(/\.$/, "")}.`);
}
