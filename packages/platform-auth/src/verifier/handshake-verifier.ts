import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { HandshakeResult } from "../evidence.ts";
import type { LinkEntry } from "../link-entry.ts";
import { accreditation } from "../links/accreditation.ts";
import { bundleIntegrity } from "../links/bundle-integrity.ts";
import { deploymentAuthorised } from "../links/deployment-authorised.ts";
import type { HandshakeFacts, VerifierPolicy } from "../links/handshake-facts.ts";
import { judgeLink } from "../links/judge-link.ts";
import type { Link } from "../links/link.ts";
import { possession } from "../links/possession.ts";
import { releaseAuthorship } from "../links/release-authorship.ts";
import { versionIdentity } from "../links/version-identity.ts";
import { createEvidenceReader } from "../reading/evidence-reader.ts";
import type { Members } from "../reading/read-members.ts";
import { askEachOnce, createQuestions } from "../trust/questions.ts";
import { createStatusOf, type StatusOf } from "../trust/status-of.ts";
import type { Trust } from "../trust/trust.ts";
import { toClaim } from "./to-claim.ts";

/** An answer to a challenge: whom it addresses, and its members as they were presented. */
export interface ChallengeAnswer {
  /** Whom the answer addresses: the owner's eName at a vault. */
  readonly audience: string;
  readonly challenge: Members;
  readonly evidence: Members;
  readonly signature: string;
}

/** Judges an answer to a challenge. Refuses: the challenge store's errors; whatever is wrong with the answer is reported. */
export type VerifyHandshake = (answer: ChallengeAnswer) => Promise<HandshakeResult>;

/** What a verifier needs. `redeem` gives an outstanding challenge by its nonce, once. `verifyEcdsa` takes a key as SPKI. */
export interface VerifierDeps {
  readonly clock: { readonly nowMs: () => number };
  readonly log: Record<"warn" | "error", (entry: object, message: string) => void>;
  readonly redeem: (nonce: string) => Promise<HandshakeChallenge | undefined>;
  readonly trust: Trust;
  /** A look-up of certificates' status that others use too; absent: its own. */
  readonly statusOf?: StatusOf;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}

/** Whose certificates count. Both switches are off when absent; see `VerifierPolicy` for what they open. */
export interface VerifierConfig extends Pick<VerifierPolicy, "trustedCertifierIssuers"> {
  readonly allowUnboundCertificates?: boolean;
  readonly allowUnlistedDeployers?: boolean;
  /** How long the questions of one handshake may take together; 12,000 ms when absent. */
  readonly budgetMs?: number;
}

/** The links in the order in which they are reported. */
const LINKS: readonly Link[] = [
  possession,
  deploymentAuthorised,
  bundleIntegrity,
  versionIdentity,
  releaseAuthorship,
  accreditation,
];

/**
 * Makes the verifier of handshakes. It spends the challenge first, then judges all six links, whatever the outcome of one.
 *
 * Out: six entries in their fixed order; a claim only when all of them hold, with the domains that the certificate grants and
 * the release asked for. Source: S3 "Platform authentication"; decision A1.
 */
export function createHandshakeVerifier(deps: VerifierDeps, config: VerifierConfig): VerifyHandshake {
  const policy: VerifierPolicy = {
    trustedCertifierIssuers: config.trustedCertifierIssuers,
    allowUnboundCertificates: config.allowUnboundCertificates ?? false,
    allowUnlistedDeployers: config.allowUnlistedDeployers ?? false,
  };
  const questions = createQuestions({ ...deps, status: deps.statusOf ?? createStatusOf(deps) });
  const readEvidence = createEvidenceReader();
  return async ({ audience, challenge, evidence, signature }) => {
    const { nonce } = challenge;
    const stored = typeof nonce === "string" ? await deps.redeem(nonce) : undefined;
    const facts: HandshakeFacts = {
      challenge: { stored, presented: challenge, audience, signature },
      evidence: readEvidence(evidence),
      ask: askEachOnce(questions),
      policy,
      nowMs: deps.clock.nowMs(),
    };
    const links = await judgeWithin(config.budgetMs ?? BUDGET_MS, deps.log, facts);
    const failedAt = links.find(({ ok }) => !ok)?.id ?? null;
    const claim = failedAt === null ? toClaim(facts.evidence) : null;
    return { ok: failedAt === null, links, claim, failedAt };
  };
}

const BUDGET_MS = 12_000;

async function judgeWithin(
  budgetMs: number,
  log: VerifierDeps["log"],
  facts: HandshakeFacts,
): Promise<readonly LinkEntry[]> {
  const deadline = Promise.withResolvers<false>();
  const timer = setTimeout(() => deadline.resolve(false), budgetMs);
  try {
    const judging = { deadline: deadline.promise, log };
    return await Promise.all(LINKS.map((link) => judgeLink(link, facts, judging)));
  } finally {
    clearTimeout(timer);
  }
}
