import { canonical } from "@dataspace/protocol/canonical-json";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { isIsoTime } from "@dataspace/protocol/iso-time";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { type EcdsaVerify, verifySignature } from "@dataspace/protocol/signature";
import { signedPayload } from "@dataspace/protocol/signed-payload";
import { validateWalletClaims } from "@dataspace/protocol/wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import { type LogEntry, readLogEntry, readObject } from "./read-log-entry.ts";
import { REVIEW_TYPE, reviewDigest, type SignedReview } from "./signed-review.ts";

/** A decision may be carried out so long after the time to sign is over: it waits for others. */
const LATEST_SECONDS = 60;

/** Why the review under an entry does not hold. */
export type ReviewFault =
  | "entry_unreadable"
  | "review_missing"
  | "review_altered"
  | "statement_mismatch"
  | "key_certificate_invalid"
  | "signature_invalid"
  | "review_repeated";

/**
 * What the review under one entry proves. `decision`: the reviewer's wallet signed exactly what the entry says. `permission`: it signed
 * a wallet token for one decision at this authority, which does not name the decision.
 */
export type ReviewVerdict =
  | { readonly reviewer: EName; readonly proves: "decision" | "permission" }
  | { readonly fault: ReviewFault };

/** `verifyRegistryToken` verifies by the registry's key set, retired keys included; `verifyEcdsa` takes a key as SPKI. */
export interface ReviewVerifierDeps {
  readonly verifyRegistryToken: (token: string) => Promise<{ readonly payload: Readonly<Record<string, unknown>> }>;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}

/** Entries of a log with the reviews under them, in the same order; null where a review is not shown. */
export interface ReviewedEntries {
  /** The authority's origin. */
  readonly issuer: string;
  readonly entries: readonly string[];
  readonly reviews: readonly (SignedReview | null)[];
}

/**
 * Verifies what reviewers signed under the entries of a log, without a question to the authority. That the entries are in the log is
 * for `verifyInclusion`. Compare the reviewer with `reviewed_by` in the certificate.
 *
 * Out: a verdict for each entry. Refuses: as `verifyRegistryToken` when its keys are not available. Source: decisions A1, A6.
 */
export async function verifyReviews(
  deps: ReviewVerifierDeps,
  { issuer, entries, reviews }: ReviewedEntries,
): Promise<readonly ReviewVerdict[]> {
  const seen = new Set<string>();
  const verdicts: ReviewVerdict[] = [];
  for (const [place, text] of entries.entries()) {
    const review = reviews[place] ?? null;
    const verdict = await verifyReview(deps, issuer, { entry: readLogEntry(text), review });
    const isRepeated = review !== null && "proves" in verdict && seen.has(review.payload);
    if (review !== null) seen.add(review.payload);
    verdicts.push(isRepeated ? { fault: "review_repeated" } : verdict);
  }
  return verdicts;
}

async function verifyReview(
  deps: ReviewVerifierDeps,
  issuer: string,
  { entry, review }: { readonly entry: LogEntry | undefined; readonly review: SignedReview | null },
): Promise<ReviewVerdict> {
  if (entry === undefined) return { fault: "entry_unreadable" };
  if (review === null || entry.reviewDigest === undefined) return { fault: "review_missing" };
  if (reviewDigest(review) !== entry.reviewDigest) return { fault: "review_altered" };
  const { reviewer, statement, payload, signature } = review;
  const agrees = statement === null ? isOwnToken(review, issuer, entry.at) : await isStated(review, issuer, entry);
  if (!agrees) return { fault: "statement_mismatch" };
  const point = await findCertifiedPoint(deps, review, entry.at);
  if (point === undefined) return { fault: "key_certificate_invalid" };
  const signed = { key: pointToSpki(point), data: new TextEncoder().encode(payload), signature };
  if ((await verifySignature(deps.verifyEcdsa, signed)) === undefined) return { fault: "signature_invalid" };
  return { reviewer, proves: statement === null ? "permission" : "decision" };
}

async function isStated(
  { reviewer, statement, payload }: SignedReview,
  issuer: string,
  { at, stated }: LogEntry,
): Promise<boolean> {
  const said = readObject(statement ?? "");
  if (said === undefined || (await signedPayload("review", statement ?? "")) !== payload) return false;
  const expected = { type: REVIEW_TYPE, schemaVersion: 1, authority: issuer, reviewer, ...stated };
  const isSame = Object.entries(expected).every(
    ([name, value]) => said[name] !== undefined && value !== undefined && canonical(said[name]) === canonical(value),
  );
  const { expiresAt } = said;
  return isSame && isIsoTime(expiresAt) && Date.parse(expiresAt) >= (at - LATEST_SECONDS) * 1000;
}

function isOwnToken({ reviewer, payload, signature }: SignedReview, issuer: string, at: number): boolean {
  try {
    const claims = validateWalletClaims(parseCompactJws(`${payload}.${signature}`), {
      audience: issuer,
      nowSeconds: at,
    });
    return claims.ename === reviewer;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

async function findCertifiedPoint(
  { verifyRegistryToken }: ReviewVerifierDeps,
  { reviewer, publicKey, keyBindingCertificate }: SignedReview,
  at: number,
): Promise<Uint8Array | undefined> {
  try {
    const { payload } = await verifyRegistryToken(keyBindingCertificate);
    const { point } = validateKeyBindingClaims(payload, { ename: reviewer, nowSeconds: at });
    const isSame = Buffer.compare(point, decodePublicKey(publicKey).point) === 0;
    return isSame ? point : undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
