import type { SignText } from "@dataspace/protocol/sign-text";
import type { ReleaseSubmission, Submission, SubmissionProof } from "../release-submission.ts";
import { parseReleaseSubmission, releaseSubmissionText, submissionPayload } from "../release-submission.ts";

/** What an author submits; `type` and `schemaVersion` are added. */
export type SubmissionInput = Omit<ReleaseSubmission, "type" | "schemaVersion">;

/** The author's key: how it signs, its text, and the registry's certificate that it is the author's. */
export interface AuthorKey {
  readonly sign: SignText;
  readonly publicKey: string;
  readonly keyBindingCertificate: string;
}

/**
 * Builds and signs a release submission, as it is sent to a certifying authority.
 *
 * Refuses: INVALID_SUBMISSION with the member; as `sign`. Source: S3 "Canonical payloads"; decision A1.
 */
export async function buildSubmission(
  input: SubmissionInput,
  { sign, publicKey, keyBindingCertificate }: AuthorKey,
): Promise<Submission> {
  const statement = parseReleaseSubmission({ type: "ds.ppa.release-submission", schemaVersion: 1, ...input });
  const statementText = releaseSubmissionText(statement);
  const payload = await submissionPayload(statementText);
  return { statementText, payload, signature: await sign(payload), publicKey, keyBindingCertificate };
}

/**
 * Makes the proof that evidence carries of a submission.
 *
 * In: `verifiedAt`, ISO 8601, when the authority took it. Refuses: INVALID_SUBMISSION. Source: decision A1.
 */
export function toSubmissionProof(submission: Submission, verifiedAt: string): SubmissionProof {
  return { statement: parseReleaseSubmission(JSON.parse(submission.statementText)), ...submission, verifiedAt };
}
