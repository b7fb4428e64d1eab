import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { EvidenceReading } from "../reading/read-evidence.ts";
import type { Members } from "../reading/read-members.ts";
import type { Questions } from "../trust/questions.ts";

/** The challenge of a handshake: what was stored when it was issued, what was presented, and who was addressed. */
export interface AnsweredChallenge {
  /** Undefined when no such challenge was outstanding. */
  readonly stored: HandshakeChallenge | undefined;
  readonly presented: Members;
  /** Whom the answer addressed. */
  readonly audience: string;
  readonly signature: string;
}

/** Which certificates and deployers count. */
export interface VerifierPolicy {
  /** The origins of the trusted authorities. */
  readonly trustedCertifierIssuers: readonly string[];
  /** Whether a certificate counts that names no submission. It lets anybody who copied it pair it with evidence of their own. */
  readonly allowUnboundCertificates: boolean;
  /** Whether a person counts as deployer who is neither the author nor listed. It lets anybody run a release in its name. */
  readonly allowUnlistedDeployers: boolean;
}

/** What the six links judge. */
export interface HandshakeFacts {
  readonly challenge: AnsweredChallenge;
  readonly evidence: EvidenceReading;
  readonly ask: Questions;
  readonly policy: VerifierPolicy;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}
