import type { ProvenSession, SessionCredential } from "@dataspace/platform-auth/sessions/verify-session";
import type { EName } from "@dataspace/protocol/ename";
import type { CertificationLevel } from "@dataspace/protocol/owner-policy";

/** What an evidence session has proven: which platform it is of, and which certificate says so. */
export interface SessionClaim {
  readonly platform: EName;
  readonly deployment: EName;
  readonly version: string;
  readonly level: CertificationLevel;
  readonly domains: readonly string[];
  readonly issuer: string;
  readonly certificateId: string;
}

/** A session's credential as a request shows it; the request is the one it was shown in. */
export type ShownSession = SessionCredential;

/** Finds what a session has proven at an owner's vault. Refuses: INVALID_TOKEN. Source: decisions A1, I4. */
export type VerifyPlatformSession = (
  owner: EName,
  shown: ShownSession,
) => Promise<Pick<ProvenSession, "proofUse"> & { readonly claim: SessionClaim }>;
