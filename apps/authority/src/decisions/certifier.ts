import { issueCertificate } from "@dataspace/platform-auth/signing/issue-certificate";
import type { SignedReview } from "@dataspace/platform-auth/log/signed-review";
import type { JwsSigner } from "@dataspace/protocol/write-compact-jws";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import type { TokenToSpend } from "@dataspace/service-kit/postgres/spent-tokens";
import { authorityRefusal } from "../errors.ts";
import { insertCertificate, LIST_SIZE, nextCertificateIdx, revokeCertificate } from "../store/certificate-rows.ts";
import { appendEntry, lockLog } from "../store/log-rows.ts";
import { insertSignedReview } from "../store/signed-review-rows.ts";
import { spentReviewerTokens } from "../store/spent-token-rows.ts";
import { findSubmission, setDecision } from "../store/submission-rows.ts";
import type { StoredSubmission } from "../submissions/stored-submission.ts";
import { findDecidable } from "./decidable.ts";
import type { DecisionInput, Grant } from "./decision-input.ts";
import { issuedEntry, revokedEntry } from "./log-entry.ts";

/** What a reviewer's wallet signed for one decision, from when on that is public (ISO 8601), and what the decision spends. */
export interface Reviewer {
  readonly review: SignedReview;
  readonly shownFrom: string;
  /** A wallet token, or the request that a wallet has signed. */
  readonly tokenUse: TokenToSpend;
}

/** What reviewers do. Each is one transaction that spends the reviewer's wallet token or signed request. */
export interface Certifier {
  /** Decides about a submission, and issues its certificate when it is granted. */
  readonly decide: (reviewer: Reviewer, id: string, input: DecisionInput) => Promise<StoredSubmission>;
  /** Revokes a certificate. Out: when, ISO 8601. */
  readonly revoke: (reviewer: Reviewer, jti: string, reason: string) => Promise<string>;
}

/** `signer` signs certificates. */
export interface CertifierDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly signer: JwsSigner;
  readonly newUuid: () => string;
}

const DAY_SECONDS = 86_400;
const UNIQUE_VIOLATION = "23505";

/**
 * Makes the certifier of an authority whose origin is `issuer`. What it issues and revokes is in the log when the transaction ends,
 * and what the wallet signed is stored with it.
 *
 * Refuses: UNKNOWN_SUBMISSION, DECIDED, NOT_AUTHOR, VERSION_IMMUTABLE, DOMAINS_NOT_REQUESTED, UNKNOWN_CERTIFICATE, REVOKED, TOKEN_SPENT.
 * Source: S3 "Platform authentication"; decisions A1, A6, I6.
 */
export function createCertifier(deps: CertifierDeps, { issuer }: { readonly issuer: string }): Certifier {
  const { database, clock } = deps;
  return {
    decide: (reviewer, id, input) =>
      database.transaction(async (transaction) => {
        await spend(transaction, reviewer);
        await lockLog(transaction);
        const submission = await findDecidable(transaction, { id, input, nowMs: clock.nowMs() }, { lock: true });
        const decidedAt = new Date(clock.nowMs()).toISOString();
        const { decision, reason = null } = input;
        // A renewal leaves the first decision as it is.
        if (submission.decision === null)
          await storeDecision(transaction, id, { decision, decidedAt, decidedBy: reviewer.review.reviewer, reason });
        const isGrant = input.decision === "granted";
        const logIdx = isGrant ? await issue(transaction, deps, { issuer, reviewer, submission, input }) : null;
        await insertSignedReview(transaction, { subject: id, logIdx, ...reviewer });
        return (await findSubmission(transaction, id)) as StoredSubmission;
      }),
    revoke: (reviewer, jti, reason) =>
      database.transaction(async (transaction) => {
        await spend(transaction, reviewer);
        await lockLog(transaction);
        const revokedAt = new Date(clock.nowMs()).toISOString();
        const { review } = reviewer;
        const outcome = await revokeCertificate(transaction, { jti, revokedAt, revokedBy: review.reviewer, reason });
        if (outcome === "UNKNOWN_CERTIFICATE") throw authorityRefusal(outcome, "There is no certificate with this id.");
        if (outcome === "REVOKED") throw authorityRefusal(outcome, "The certificate is revoked already.");
        const entry = revokedEntry(jti, Math.floor(clock.nowMs() / 1000), review);
        const logIdx = await appendEntry(transaction, entry);
        await insertSignedReview(transaction, { subject: jti, logIdx, ...reviewer });
        return revokedAt;
      }),
  };
}

async function spend(transaction: Queryable, { tokenUse }: Reviewer): Promise<void> {
  if (await spentReviewerTokens.spend(transaction, tokenUse)) return;
  throw authorityRefusal("TOKEN_SPENT", "This wallet token has served its one writing request; issue a new one.");
}

async function storeDecision(...args: Parameters<typeof setDecision>): Promise<void> {
  try {
    await setDecision(...args);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== UNIQUE_VIOLATION) throw error;
    const message = "Another submission of this platform and version is granted. Ask the author for a new version.";
    throw authorityRefusal("VERSION_IMMUTABLE", message);
  }
}

interface Issue {
  readonly issuer: string;
  readonly reviewer: Reviewer;
  readonly submission: StoredSubmission;
  readonly input: Grant;
}

async function issue(
  transaction: Queryable,
  { clock, signer, newUuid }: CertifierDeps,
  { issuer, reviewer, submission, input }: Issue,
): Promise<number> {
  const idx = await nextCertificateIdx(transaction);
  const issuedAtSeconds = Math.floor(clock.nowMs() / 1000);
  const expiresAtSeconds = issuedAtSeconds + input.validDays * DAY_SECONDS;
  const issued = await issueCertificate(signer, {
    issuer,
    statementText: submission.statementText,
    level: input.level,
    domains: input.domains,
    reviewer: reviewer.review.reviewer,
    jti: newUuid(),
    issuedAtSeconds,
    expiresAtSeconds,
    status: { idx: idx % LIST_SIZE, uri: `${issuer}/status/${Math.floor(idx / LIST_SIZE)}` },
  });
  const { claims, certificate: jws } = issued;
  const { jti, sub: platform, version } = claims;
  const expiresAt = new Date(expiresAtSeconds * 1000).toISOString();
  await insertCertificate(transaction, { jti, idx, submissionId: submission.id, platform, version, jws, expiresAt });
  return appendEntry(transaction, issuedEntry(claims, jws, reviewer.review));
}
