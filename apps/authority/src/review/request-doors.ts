import { parseSubmissionText } from "@dataspace/platform-auth/release-submission";
import { makeSignUri } from "@dataspace/protocol/sign-request-uri";
import { isSignableSession } from "@dataspace/protocol/wallet-uri";
import {
  REVIEW_CALLBACK,
  reviewPayload,
  type SignatureAnswer,
  type SignedReviews,
} from "../decisions/signed-reviews.ts";
import { authorityRefusal } from "../errors.ts";
import { findListedCertificate } from "../store/certificate-lists.ts";
import type { StoredReviewRequest } from "../store/review-request-rows.ts";
import { findSubmission } from "../store/submission-rows.ts";
import { requestPage, type ShownRequest, subjectPath } from "./request-page.ts";
import { shownText } from "./shown-text.ts";
import type { ReviewDoorDeps } from "./submission-doors.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

/** The authority's own origin, and the development stack's wallet. */
export interface RequestDoorConfig {
  readonly issuer: string;
  readonly sandboxUrl: () => string | undefined;
}

const LONGEST = 1_024;

/**
 * Serves `GET /review/requests/:session`: what its reviewer is about to sign. It leads to the subject when it is done.
 *
 * Refuses: UNKNOWN_SESSION, also for another visit's request.
 */
export function mountRequestPage(
  app: FastifyInstance,
  deps: ReviewDoorDeps,
  { issuer, sandboxUrl }: RequestDoorConfig,
): void {
  app.get<{ Params: { readonly session: string } }>("/review/requests/:session", async (request, reply) => {
    const { session } = request.params;
    const found = isSignableSession(session) ? await deps.reviews.find(visitorOf(request), session) : undefined;
    if (found === undefined)
      throw authorityRefusal("UNKNOWN_SESSION", "This browser has no such decision to sign. Decide again.");
    if (found.isDone) return reply.redirect(subjectPath(found), 303);
    const payload = await reviewPayload(found);
    const shown: ShownRequest = {
      request: found,
      payload,
      uri: makeSignUri({ text: payload, session, redirectUri: `${issuer}${REVIEW_CALLBACK}`, shown: {} }),
      release: await readRelease(deps, found),
      sandboxUrl: sandboxUrl(),
      nowMs: deps.clock.nowMs(),
    };
    return deps.show(request, reply, requestPage(shown));
  });
}

/** `POST /review/signature`: takes a wallet's answer to `ds://sign`. Refuses: BAD_REQUEST, and as `SignedReviews`. */
export function mountSignatureAnswer(
  app: FastifyInstance,
  { reviews }: { readonly reviews: Pick<SignedReviews, "answer"> },
): void {
  app.post(REVIEW_CALLBACK, async (request) => {
    await reviews.answer(readAnswer(request.body));
    return { success: true };
  });
}

function readAnswer(body: unknown): SignatureAnswer {
  const { sessionId, signature, dsid, message } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isAnswer = isText(sessionId) && isText(signature);
  if (isAnswer && isOptional(dsid) && isOptional(message)) return { sessionId, signature, dsid, message };
  throw authorityRefusal("BAD_REQUEST", "Send sessionId and signature, each as text of at most 1,024 characters.");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST && !value.includes("\0");
}

function isOptional(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}

async function readRelease(
  { database }: Pick<ReviewDoorDeps, "database">,
  { act, subject }: StoredReviewRequest,
): Promise<ShownRequest["release"]> {
  const submissionId = act === "decide" ? subject : (await findListedCertificate(database, subject))?.submissionId;
  const submission = submissionId === undefined ? undefined : await findSubmission(database, submissionId);
  if (submission === undefined) throw authorityRefusal("UNKNOWN_SUBMISSION", "There is no submission with this id.");
  const { platformName, version } = parseSubmissionText(submission.statementText);
  return { name: shownText(platformName), version };
}
