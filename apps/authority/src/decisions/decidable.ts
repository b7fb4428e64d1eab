import { parseSubmissionText } from "@dataspace/platform-auth/release-submission";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { authorityRefusal } from "../errors.ts";
import { findSubmission, isOfForeignAuthor } from "../store/submission-rows.ts";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import type { DecisionInput } from "./decision-input.ts";

const RENEWABLE_MS = 30 * 86_400_000;

/** Checks whether a submission may be granted again: its certificate is in force and ends within 30 days. Refuses: never. */
export function isRenewable({ certificate }: Pick<StoredSubmission, "certificate">, nowMs: number): boolean {
  if (certificate === null || certificate.isRevoked) return false;
  return Date.parse(certificate.expiresAt) - nowMs <= RENEWABLE_MS;
}

/**
 * Finds a submission about which a decision may be taken: an open one, or a granted one that may be renewed.
 *
 * In: with `lock` no other transaction decides about it before this one ends.
 * Refuses: UNKNOWN_SUBMISSION, NOT_AUTHOR, DECIDED, DOMAINS_NOT_REQUESTED. Source: decisions A1, A6.
 */
export async function findDecidable(
  on: Queryable,
  { id, input, nowMs }: { readonly id: string; readonly input: DecisionInput; readonly nowMs: number },
  lock: { readonly lock: boolean },
): Promise<StoredSubmission> {
  const submission = await findSubmission(on, id, lock);
  if (submission === undefined) throw authorityRefusal("UNKNOWN_SUBMISSION", "There is no submission with this id.");
  const { decision } = submission;
  const isGrant = input.decision === "granted";
  if (isGrant && (await isOfForeignAuthor(on, id))) {
    const message = "Another author has certified releases of this platform since. Deny this submission.";
    throw authorityRefusal("NOT_AUTHOR", message);
  }
  if (decision !== null && !(isGrant && isRenewable(submission, nowMs)))
    throw authorityRefusal("DECIDED", `The submission was ${decision.decision} at ${decision.decidedAt}.`);
  if (isGrant) assertRequested(input.domains, submission);
  return submission;
}

function assertRequested(domains: readonly string[], { statementText }: StoredSubmission): void {
  const requested = new Set(parseSubmissionText(statementText).domains);
  const foreign = domains.filter((domain) => !requested.has(domain));
  if (foreign.length === 0) return;
  const message = `The release does not ask for ${foreign.join(", ")}. Grant domains of the submission only.`;
  throw authorityRefusal("DOMAINS_NOT_REQUESTED", message);
}
