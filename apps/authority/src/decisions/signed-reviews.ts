import { REVIEW_TYPE, type SignedReview } from "@dataspace/platform-auth/log/signed-review";
import { canonical } from "@dataspace/protocol/canonical-json";
import { parseEName } from "@dataspace/protocol/ename";
import { signedPayload } from "@dataspace/protocol/signed-payload";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type AuthorityErrorCode, authorityRefusal } from "../errors.ts";
import {
  addReviewRequest,
  findReviewRequest,
  refuseReviewRequest,
  type StoredReviewRequest,
  spentNameOf,
} from "../store/review-request-rows.ts";
import type { Certifier, Reviewer } from "./certifier.ts";
import { type DecisionInput, readDecision, readRevocation } from "./decision-input.ts";
import type { ProveReview } from "./prove-review.ts";
import { mayReview, type Reviewers } from "./reviewers.ts";

/** What a reviewer wants to sign. `facts` are stated beside the decision, such as the platform and its version. */
export type ReviewWish = { readonly subject: string; readonly facts: Readonly<Record<string, string>> } & (
  | { readonly act: "decide"; readonly input: DecisionInput }
  | { readonly act: "revoke"; readonly input: { readonly reason: string } }
);

/** Who asks for a signature: a reviewer, and the hash of the visit's token. */
export interface ReviewVisitor {
  readonly ename: EName;
  readonly tokenHash: Buffer;
}

/** A wallet's answer to `ds://sign`. */
export interface SignatureAnswer {
  readonly sessionId: string;
  readonly signature: string;
  readonly dsid?: string | undefined;
  readonly message?: string | undefined;
}

/** Decisions that a wallet signs. */
export interface SignedReviews {
  /** Stores what is to be signed. Out: the session of the request. Refuses: TOO_MANY_REVIEWS. */
  readonly ask: (visitor: ReviewVisitor, wish: ReviewWish) => Promise<string>;
  /** Finds a request of this visit. */
  readonly find: (visitor: ReviewVisitor, session: string) => Promise<StoredReviewRequest | undefined>;
  /** Takes a signature, and decides. Refuses: as `ask` and the certifier; a wrong signature leaves the request open. */
  readonly answer: (answer: SignatureAnswer) => Promise<void>;
}

/** `newSession` gives 16 to 128 of `[A-Za-z0-9_-]`, at random. */
export interface SignedReviewsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly certifier: Certifier;
  readonly prove: ProveReview;
  readonly newSession: () => string;
}

/** The path to which a wallet posts its signature. */
export const REVIEW_CALLBACK = "/review/signature";
const REVIEW_SECONDS = 300;

/** Gives the text that a wallet signs for a request. Refuses: never. Source: S3 "Canonical payloads". */
export function reviewPayload({ statement }: Pick<StoredReviewRequest, "statement">): Promise<string> {
  return signedPayload("review", statement);
}

/**
 * Makes the decisions that a wallet signs. A page stores what the reviewer wants, the reviewer's wallet signs it, and the certifier
 * decides as for a wallet token. The request is spent in the certifier's own transaction, so that a signature decides once.
 *
 * Refuses: UNKNOWN_SESSION, SESSION_USED, INVALID_SIGNATURE, FORBIDDEN, REGISTRY_UNAVAILABLE, TOO_MANY_REVIEWS, and as the certifier.
 * Source: decisions A6, I6, I9.
 */
export function createSignedReviews(
  deps: SignedReviewsDeps,
  config: { readonly issuer: string; readonly reviewers: Reviewers },
): SignedReviews {
  const { database, clock } = deps;
  return {
    ask: async (visitor, wish) => {
      const session = deps.newSession();
      const nowMs = clock.nowMs();
      const expiresAt = new Date(nowMs + REVIEW_SECONDS * 1000).toISOString();
      const { act, subject, input } = wish;
      const statement = writeStatement(wish, {
        authority: config.issuer,
        reviewer: visitor.ename,
        request: session,
        expiresAt,
      });
      const request = {
        session,
        visit: visitor.tokenHash,
        reviewer: visitor.ename,
        act,
        subject,
        input,
        statement,
        expiresAt,
      };
      if (await addReviewRequest(database, request, new Date(nowMs).toISOString())) return session;
      throw authorityRefusal(
        "TOO_MANY_REVIEWS",
        "20 of your decisions wait for a signature. Sign one, or wait 5 minutes.",
      );
    },
    find: async ({ tokenHash }, session) => {
      const found = await findReviewRequest(database, session);
      return found?.visit.equals(tokenHash) ? found : undefined;
    },
    answer: async (answer) => {
      const request = await findOpen(deps, answer.sessionId);
      const review = await proveSigned(deps, request, answer);
      if (!mayReview(config.reviewers, request.reviewer))
        throw authorityRefusal("FORBIDDEN", `${request.reviewer} is not a reviewer of this authority.`);
      await perform(deps, request, review);
    },
  };
}

function writeStatement(
  { act, subject, input, facts }: ReviewWish,
  asked: Readonly<Record<"authority" | "reviewer" | "request" | "expiresAt", string>>,
): string {
  const on = act === "decide" ? { submission: subject } : { certificate: subject };
  return canonical({ type: REVIEW_TYPE, schemaVersion: 1, ...asked, ...facts, act, ...on, ...input });
}

async function findOpen({ database, clock }: SignedReviewsDeps, session: string): Promise<StoredReviewRequest> {
  const request = await findReviewRequest(database, session);
  if (request?.isDone || (request !== undefined && request.refusal !== null))
    throw authorityRefusal("SESSION_USED", "This code was answered already. Open the page again.");
  if (request === undefined || Date.parse(request.expiresAt) <= clock.nowMs())
    throw authorityRefusal("UNKNOWN_SESSION", "This code is unknown or too old. Open the page again.");
  return request;
}

async function proveSigned(
  { prove }: SignedReviewsDeps,
  request: StoredReviewRequest,
  { signature, dsid, message }: SignatureAnswer,
): Promise<SignedReview> {
  const { reviewer, statement } = request;
  const payload = await reviewPayload(request);
  const isOfThis = (message === undefined || message === payload) && (dsid === undefined || isEName(dsid, reviewer));
  const review = isOfThis && (await prove({ reviewer, statement, payload, signature }, { fresh: true }));
  if (review) return review;
  const why = `The signature is not by a certified key of ${reviewer} over the text that the page shows.`;
  throw authorityRefusal("INVALID_SIGNATURE", why);
}

function isEName(text: string, ename: EName): boolean {
  try {
    return parseEName(text) === ename;
  } catch {
    return false;
  }
}

async function perform(
  { database, clock, certifier }: SignedReviewsDeps,
  { session, expiresAt, subject, act, input }: StoredReviewRequest,
  review: SignedReview,
): Promise<void> {
  const shownFrom = new Date(clock.nowMs()).toISOString();
  const reviewer: Reviewer = { review, shownFrom, tokenUse: { token: spentNameOf(session), expiresAt } };
  try {
    await (act === "decide"
      ? certifier.decide(reviewer, subject, readDecision(input))
      : certifier.revoke(reviewer, subject, readRevocation(input).reason));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isUsed = (error.code satisfies string) === ("TOKEN_SPENT" satisfies AuthorityErrorCode);
    if (isUsed) throw authorityRefusal("SESSION_USED", "This code was answered already. Open the page again.");
    await refuseReviewRequest(database, session, { code: error.code, message: error.message });
    throw error;
  }
}
