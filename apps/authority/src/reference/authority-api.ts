import { HTTP_ERRORS } from "@dataspace/api-reference/http-errors";
import type { Api } from "@dataspace/api-reference/api";
import { AUTHORITY_ERRORS } from "../errors.ts";
import { certificateOperations } from "./certificate-operations.ts";
import { logOperations } from "./log-operations.ts";
import { reviewOperations } from "./review-operations.ts";
import { submissionOperations } from "./submission-operations.ts";

const LIMITED = ["RATE_LIMITED", "STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];

/** What the authority's reference is made from. */
export const authorityApi: Api = {
  info: {
    title: "Dataspace certifying authority",
    summary: "Certificates for releases of platforms.",
    about:
      'Authors of platforms submit releases, reviewers decide, and the authority issues certificates that vaults check at every handshake. It publishes which certificates are revoked, and an append-only log of all that it issued.\n\nReviewers also decide in the pages at `/review`. They are forms for browsers and not listed here; what wallets send to them is.\n\nEvery refusal is `{"error":{"code","message"}}` with the status of its code. Requests of one address are limited.',
  },
  credentials: {
    walletToken: {
      bearerFormat: "JWT",
      description: "A wallet token of a reviewer, whose `aud` is this service's origin. It serves one decision.",
    },
  },
  callers: {
    anybody: { says: "For everybody.", shows: [], refuses: LIMITED },
    reviewer: {
      says: "For reviewers, by their wallets.",
      shows: ["walletToken"],
      refuses: ["UNAUTHENTICATED", "INVALID_TOKEN", "FORBIDDEN", "REGISTRY_UNAVAILABLE", ...LIMITED],
      spendsToken: true,
    },
  },
  errors: { ...AUTHORITY_ERRORS, ...HTTP_ERRORS },
  groups: [submissionOperations, certificateOperations, logOperations, reviewOperations],
};
