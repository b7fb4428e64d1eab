import { createHash } from "node:crypto";
import { canonical } from "@dataspace/protocol/canonical-json";
import type { EName } from "@dataspace/protocol/ename";

/** What a reviewer's wallet signed to certify a release or to revoke a certificate. All members but `statement` are text. */
export interface SignedReview {
  readonly reviewer: EName;
  /** The decision in canonical JSON; null where the wallet signed a wallet token, which names no decision. */
  readonly statement: string | null;
  /** The text that the wallet signed: the statement's digest, or a wallet token without its signature. */
  readonly payload: string;
  readonly signature: string;
  /** The key that signed, as the wallet writes it, and the registry's certificate of it. */
  readonly publicKey: string;
  readonly keyBindingCertificate: string;
}

/** The `type` of a statement. */
export const REVIEW_TYPE = "ds.authority.review";

/** Computes the digest by which a log entry names its review: base64url SHA-256 of its canonical JSON. Refuses: never. */
export function reviewDigest(review: SignedReview): string {
  const { reviewer, statement, payload, signature, publicKey, keyBindingCertificate } = review;
  const text = canonical({ reviewer, statement, payload, signature, publicKey, keyBindingCertificate });
  return createHash("sha256").update(text).digest("base64url");
}
