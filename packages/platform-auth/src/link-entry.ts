/** The six links of the chain of trust, in the order in which they are reported. Source: S3 "Platform authentication"; decision A1. */
export const LINK_IDS = [
  "possession",
  "deployment-authorised",
  "bundle-integrity",
  "version-identity",
  "release-authorship",
  "accreditation",
] as const;

/** The name of a link. */
export type LinkId = (typeof LINK_IDS)[number];

/** Every outcome of a link. The codes are stable; `ok` means that the link holds. Source: decision A1. */
const LINK_CODES = [
  "ok",
  "missing_evidence",
  "challenge_unknown",
  "challenge_altered",
  "challenge_expired",
  "audience_mismatch",
  "key_mismatch",
  "signature_invalid",
  "signer_not_deployer",
  "deployer_not_authorised",
  "document_field_mismatch",
  "document_not_in_force",
  "document_not_covered",
  "wallet_key_unavailable",
  "bundle_text_differs",
  "bundle_malformed",
  "version_not_derivable",
  "statement_invalid",
  "statement_payload_mismatch",
  "statement_other_release",
  "commit_mismatch",
  "key_certificate_invalid",
  "registry_keys_unavailable",
  "issuer_not_trusted",
  "issuer_keys_unavailable",
  "certificate_invalid",
  "certificate_expired",
  "certificate_other_subject",
  "certificate_other_version",
  "certificate_other_submission",
  "certificate_refused",
  "certificate_revoked",
  "status_unavailable",
  "level_invalid",
  "verifier_error",
] as const;

/** One outcome of a link. */
export type LinkCode = (typeof LINK_CODES)[number];

/** One step of a link: what was checked, and whether it holds. A step that could not be checked does not hold. */
export interface SubCheck {
  readonly name: string;
  readonly ok: boolean;
}

/**
 * What the verifier reports about one link. The texts are safe to show: they name no secret, internal address or stack.
 *
 * Source: S3 "Resources and their fields"; decision A1.
 */
export interface LinkEntry {
  readonly id: LinkId;
  readonly title: string;
  /** What the link establishes. */
  readonly proves: string;
  readonly ok: boolean;
  /** What was found, as a sentence. */
  readonly detail: string;
  readonly code: LinkCode;
  readonly checks: readonly SubCheck[];
}
