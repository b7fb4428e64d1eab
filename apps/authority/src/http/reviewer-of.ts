import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Reviewer } from "../decisions/certifier.ts";
import type { ProveReview } from "../decisions/prove-review.ts";
import { mayReview, type Reviewers } from "../decisions/reviewers.ts";
import { authorityRefusal } from "../errors.ts";
import type { FastifyRequest } from "fastify";

/** Finds the reviewer that a request is of. Refuses: UNAUTHENTICATED, INVALID_TOKEN, FORBIDDEN, REGISTRY_UNAVAILABLE. */
export type ReviewerOf = (request: FastifyRequest) => Promise<Reviewer>;

const BEARER = /^bearer +(\S{1,8192})$/i;

// A spent token may still list what is pending until it has expired, so that nobody else may see it before.
const SHOWN_AFTER_EXPIRY_MS = 120_000;

/**
 * Makes the check of reviewers' wallet tokens, whose audience is the authority's origin. The token is what the wallet signed for the
 * decision; it is public only after it has expired. Source: decision A6.
 */
export function createReviewerOf(
  { verifyWalletToken, prove }: { readonly verifyWalletToken: VerifyWalletToken; readonly prove: ProveReview },
  { issuer, reviewers }: { readonly issuer: string; readonly reviewers: Reviewers },
): ReviewerOf {
  return async ({ headers }) => {
    const token = BEARER.exec(headers.authorization ?? "")?.[1];
    if (token === undefined) {
      const message = `Send a wallet token of a reviewer as Authorization: Bearer, with the audience ${issuer}.`;
      throw authorityRefusal("UNAUTHENTICATED", message);
    }
    const claims = await verifyWalletToken(token, issuer);
    const { ename: reviewer } = claims;
    if (!mayReview(reviewers, reviewer))
      throw authorityRefusal("FORBIDDEN", `${reviewer} is not a reviewer of this authority.`);
    const end = token.lastIndexOf(".");
    const signed = { reviewer, statement: null, payload: token.slice(0, end), signature: token.slice(end + 1) };
    const review = await prove(signed, { fresh: false });
    if (review === undefined)
      throw authorityRefusal("INVALID_TOKEN", "The key of the wallet token is not certified any more.");
    const shownFrom = new Date(claims.expiresAtSeconds * 1000 + SHOWN_AFTER_EXPIRY_MS).toISOString();
    return { review, shownFrom, tokenUse: walletTokenUse(claims) };
  };
}
