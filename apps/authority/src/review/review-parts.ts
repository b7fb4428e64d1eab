import { randomBytes } from "node:crypto";
import { createFindSigner } from "@dataspace/clients/find-signer";
import { createLoginCookie } from "@dataspace/wallet-login/login-cookie";
import { createPostgresLoginStore, SIGN_IN_SECONDS } from "@dataspace/wallet-login/postgres-login-store";
import { createWalletCheck } from "@dataspace/wallet-login/wallet-check";
import { createWalletLogin } from "@dataspace/wallet-login/wallet-login";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { VerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import type { Clock } from "@dataspace/service-kit/clock";
import type { CountRequest } from "@dataspace/service-kit/http/rate-limits";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Ui } from "@dataspace/ui/ui";
import type { Certifier } from "../decisions/certifier.ts";
import { createProveReview } from "../decisions/prove-review.ts";
import type { Reviewers } from "../decisions/reviewers.ts";
import { createSignedReviews } from "../decisions/signed-reviews.ts";
import { SIGN_INS } from "../store/visit-rows.ts";
import type { ReviewDeps } from "./review.ts";
import { SIGN_IN_CALLBACK } from "./sign-in-doors.ts";
import { createVisits } from "./visits.ts";

/** What the authority has that the review pages are made from. */
export interface ReviewMaterial {
  readonly database: Database;
  readonly clock: Clock;
  readonly certifier: Certifier;
  readonly wallets: {
    readonly log: Log;
    readonly findCertifiedKeys: FindCertifiedKeys;
    readonly verifyEcdsa: VerifyEcdsa;
  };
  readonly ui: Ui;
  readonly countSignIn: CountRequest;
}

const PLATFORM = "Dataspace certifying authority";
const SESSION_BYTES = 32;

/** Makes what the review pages work with. Refuses: never. Source: decisions A6, L11. */
export function createReviewParts(
  { database, clock, certifier, wallets, ui, countSignIn }: ReviewMaterial,
  { issuer, reviewers }: { readonly issuer: string; readonly reviewers: Reviewers },
): ReviewDeps {
  const onUnavailable = (error: Error): void => {
    wallets.log.warn({ err: error }, "the certified keys of an eName are not available");
  };
  const walletLogin = createWalletLogin(
    {
      store: createPostgresLoginStore({ database, clock, table: SIGN_INS }),
      check: createWalletCheck({ ...wallets, onUnavailable }),
    },
    {
      name: PLATFORM,
      publicUrl: () => issuer,
      callbackPath: SIGN_IN_CALLBACK,
      cookieName: "ds_review_sign_in",
      sessionSeconds: SIGN_IN_SECONDS,
    },
  );
  const visitCookie = createLoginCookie("ds_review", issuer.startsWith("https:"), "Strict");
  const newSession = (): string => randomBytes(SESSION_BYTES).toString("base64url");
  const prove = createProveReview(createFindSigner(wallets));
  return {
    signIn: { ui, walletLogin, visits: createVisits({ database, clock }), visitCookie, countSignIn },
    inside: {
      database,
      clock,
      reviews: createSignedReviews({ database, clock, certifier, prove, newSession }, { issuer, reviewers }),
    },
  };
}
