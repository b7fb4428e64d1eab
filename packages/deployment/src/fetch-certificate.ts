import { fetchJson } from "@dataspace/clients/timed-fetch";
import { buildEvidence } from "@dataspace/platform-auth/signing/build-evidence";
import { toSubmissionProof } from "@dataspace/platform-auth/signing/build-submission";
import type { Evidence } from "@dataspace/platform-auth/evidence";
import { askParty } from "./ask-party.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";

interface Standing {
  readonly status?: unknown;
  readonly certificate?: unknown;
  readonly revoked?: unknown;
  readonly decision?: { readonly reason?: unknown } | null;
}

const POLL_MS = 1_000;

/**
 * Waits for the authority's decision, fetches the certificate and puts the evidence together.
 *
 * In: `forMs`, how long it waits. Out: the evidence, stored, for every handshake until the certificate ends.
 * Refuses: STEP_MISSING, NOT_DECIDED, AUTHORITY_REFUSED for a denial, CERTIFICATE_REVOKED, UNAVAILABLE. Source: decisions A1, A6.
 */
export async function fetchCertificate(deps: DeploymentDeps, { forMs }: { readonly forMs: number }): Promise<Evidence> {
  const { authorityUrl } = await deps.state.get("settings");
  const attestation = await deps.state.get("attestation");
  const { submissionId, receivedAt, submission } = await deps.state.get("submission");
  const url = `${authorityUrl}/submissions/${encodeURIComponent(submissionId)}`;
  const certificate = await waitForCertificate(deps, url, deps.clock.nowMs() + forMs);
  const evidence = buildEvidence(attestation, toSubmissionProof(submission, receivedAt), certificate);
  await deps.state.put("evidence", evidence);
  return evidence;
}

async function waitForCertificate(deps: DeploymentDeps, url: string, untilMs: number): Promise<string> {
  for (;;) {
    const answer = await askUntil(deps, url, untilMs);
    const { status, certificate, revoked, decision } = (answer ?? {}) as Standing;
    if (typeof certificate === "string") return certificate;
    if (revoked === true) {
      throw new DeploymentError(
        "CERTIFICATE_REVOKED",
        "The authority revoked the certificate; begin again with a new version in another directory.",
      );
    }
    if (status !== "pending") throw denied(decision?.reason);
    if (deps.clock.nowMs() >= untilMs) {
      throw new DeploymentError("NOT_DECIDED", "The authority has not decided yet; run fetch again later.");
    }
    await deps.wait(POLL_MS);
  }
}

// An authority that restarts while a deployment waits does not end the wait.
async function askUntil(deps: DeploymentDeps, url: string, untilMs: number): Promise<unknown> {
  for (;;) {
    try {
      const party = { party: "The authority", refused: "AUTHORITY_REFUSED" } as const;
      return await askParty(party, () => fetchJson(deps.fetch, { url }));
    } catch (error) {
      const mayRecover = error instanceof DeploymentError && error.code === "UNAVAILABLE";
      if (!mayRecover || deps.clock.nowMs() >= untilMs) throw error;
      await deps.wait(POLL_MS);
    }
  }
}

function denied(reason: unknown): DeploymentError {
  const why = typeof reason === "string" ? `: ${reason}` : "";
  return new DeploymentError(
    "AUTHORITY_REFUSED",
    `The authority denied the submission${why}; begin again in another directory.`,
  );
}
