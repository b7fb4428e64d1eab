import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Reviewer } from "../decisions/certifier.ts";
import { mayReview, type Reviewers } from "../decisions/reviewers.ts";
import { authorityRefusal } from "../errors.ts";
import type { FastifyRequest } from "fastify";

/** Finds the reviewer that a request is of. Refuses: UNAUTHENTICATED, INVALID_TOKEN, FORBIDDEN, REGISTRY_UNAVAILABLE. */
export type ReviewerOf = (request: FastifyRequest) => Promise<Reviewer>;

const BEARER = /^bearer +(\S{1,8192})$/i;

/** Makes the check of reviewers' wallet tokens, whose audience is the authority's origin. Source: decision A6. */
export function createReviewerOf(
  verifyWalletToken: VerifyWalletToken,
  { issuer, reviewers }: { readonly issuer: string; readonly reviewers: Reviewers },
): ReviewerOf {
  return async ({ headers }) => {
    const token = BEARER.exec(headers.authorization ?? "")?.[1];
    if (token === undefined) {
      const message = `Send a wallet token of a reviewer as Authorization: Bearer, with the audience ${issuer}.`;
      throw authorityRefusal("UNAUTHENTICATED", message);
    }
    const claims = await verifyWalletToken(token, issuer);
    if (!mayReview(reviewers, claims.ename))
      throw authorityRefusal("FORBIDDEN", `${claims.ename} is not a reviewer of this authority.`);
    return { ename: claims.ename, tokenUse: walletTokenUse(claims) };
  };
}
