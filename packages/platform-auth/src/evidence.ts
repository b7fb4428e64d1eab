import type { DeploymentAttestation } from "@dataspace/protocol/deployment-bundle";
import type { EName } from "@dataspace/protocol/ename";
import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { LinkEntry, LinkId } from "./link-entry.ts";
import type { HandshakeClaim } from "./platform-claim.ts";
import type { SubmissionProof } from "./release-submission.ts";

/**
 * What a deployment presents at a handshake. A verifier takes any JSON object for it and judges each member.
 *
 * Source: S3 "Resources and their fields"; decision A1.
 */
export interface Evidence extends DeploymentAttestation {
  readonly deploymentEname: EName;
  readonly deploymentName: string;
  readonly environment: string;
  /** The person who authorised the deployment. */
  readonly deployerEname: EName;
  readonly platformEname: EName;
  readonly versionEname: EName;
  readonly version: string;
  readonly releaseTag: string;
  readonly commitSha: string;
  /** The deployment's key, in any accepted spelling. */
  readonly publicKey: string;
  readonly submissionProof: SubmissionProof;
  /** The certificate, a compact JWS. */
  readonly accreditationJws: string;
  /** Accepted, never used and never fetched. */
  readonly issuerJwksUri?: string;
  /** A status list token of the certificate's list, for verifiers that cannot fetch it. */
  readonly statusToken?: string;
  /** Key binding certificates of the deployer, for verifiers that work offline. */
  readonly keyBindingCertificates?: readonly string[];
}

/** How a session is bound to the deployment key: `dpop` (RFC 9449) or not at all. */
export type TokenBinding = "dpop" | "none";

/** The body of POST /pp-auth/verify. */
export interface HandshakeRequest {
  readonly challenge: HandshakeChallenge;
  readonly evidence: Evidence;
  /** The deployment key's signature over the challenge's payload. */
  readonly signature: string;
  /** `dpop` when absent. */
  readonly tokenBinding?: TokenBinding;
}

/** What the verifier finds: six entries, and a claim only when all of them hold. */
export interface HandshakeResult {
  readonly ok: boolean;
  readonly links: readonly LinkEntry[];
  readonly claim: HandshakeClaim | null;
  readonly failedAt: LinkId | null;
}

/** The credential that a vault gives for a claim. `expires_in` is in seconds. */
export interface IssuedSession {
  readonly access_token: string;
  readonly token_type: "DPoP" | "Bearer";
  readonly expires_in: number;
}

/** The answer to POST /pp-auth/verify. */
export interface HandshakeAnswer extends HandshakeResult {
  readonly session?: IssuedSession;
}
