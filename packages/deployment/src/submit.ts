import { fetchJson } from "@dataspace/clients/timed-fetch";
import {
  parseReleaseSubmission,
  parseSubmissionText,
  releaseSubmissionText,
  type Submission,
  submissionPayload,
} from "@dataspace/platform-auth/release-submission";
import type { EName } from "@dataspace/protocol/ename";
import { askParty } from "./ask-party.ts";
import type { AskSignature } from "./ask-signature.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";
import type { DeploymentSettings, DraftSubmission, SentSubmission } from "./deployment-state.ts";
import { getPersonSignature } from "./person-signature.ts";

/** The authority takes a statement for 10 minutes; a minute of that is left for sending it. */
const DRAFT_MS = 540_000;

/**
 * Submits the release to the certifying authority, signed by its author.
 *
 * Out: the submission, stored. A submission that the authority has is not sent again.
 * Refuses: STEP_MISSING, AUTHORITY_REFUSED, UNAVAILABLE; as `getPersonSignature`. Source: decisions A1, A6.
 */
export async function submit(deps: DeploymentDeps, author: EName, ask: AskSignature): Promise<SentSubmission> {
  const settings = await deps.state.get("settings");
  const known = await deps.state.find("submission");
  if (known !== undefined) {
    assertSameAuthor(known, author);
    return known;
  }
  const submission = await sign(deps, { settings, draft: await getDraft(deps, settings, author) }, ask);
  const answer = await send(deps, settings, submission);
  const sent = { ...answer, submission };
  await deps.state.put("submission", sent);
  return sent;
}

function assertSameAuthor({ submission }: SentSubmission, author: EName): void {
  const { signerEName } = parseSubmissionText(submission.statementText);
  if (signerEName === author) return;
  const message = `${signerEName} has submitted this release; to submit it as ${author}, begin in another directory.`;
  throw new DeploymentError("ALREADY_THERE", message);
}

async function getDraft(
  { state, clock }: DeploymentDeps,
  { release }: DeploymentSettings,
  author: EName,
): Promise<DraftSubmission> {
  const known = await state.find("draft");
  if (known !== undefined && known.author === author && isYoung(known, clock.nowMs())) return known;
  const { commitSha, ...described } = release;
  const statement = parseReleaseSubmission({
    type: "ds.ppa.release-submission",
    schemaVersion: 1,
    ...described,
    manifestCommitId: commitSha,
    signerEName: author,
    issuedAt: new Date(clock.nowMs()).toISOString(),
    nonce: crypto.randomUUID(),
  });
  const statementText = releaseSubmissionText(statement);
  const draft = { author, statementText, payload: await submissionPayload(statementText) };
  await state.put("draft", draft);
  return draft;
}

function isYoung({ statementText }: DraftSubmission, nowMs: number): boolean {
  const { issuedAt } = JSON.parse(statementText) as { readonly issuedAt: string };
  return nowMs - Date.parse(issuedAt) < DRAFT_MS;
}

async function sign(
  deps: DeploymentDeps,
  { settings, draft }: { readonly settings: DeploymentSettings; readonly draft: DraftSubmission },
  ask: AskSignature,
): Promise<Submission> {
  const { author: signer, statementText, payload } = draft;
  const { registryUrl, release } = settings;
  const shown = { platform: release.platformName, version: release.version, domains: release.domains.join(", ") };
  const signed = await getPersonSignature(deps, { registryUrl, signer, text: payload, shown }, ask);
  return { statementText, payload, ...signed };
}

async function send(
  { fetch }: DeploymentDeps,
  { authorityUrl }: DeploymentSettings,
  body: Submission,
): Promise<Pick<SentSubmission, "submissionId" | "receivedAt">> {
  const answer = await askParty({ party: "The authority", refused: "AUTHORITY_REFUSED" }, () =>
    fetchJson(fetch, { url: `${authorityUrl}/submissions`, method: "POST", body }),
  );
  const { submissionId, receivedAt } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof submissionId === "string" && typeof receivedAt === "string") return { submissionId, receivedAt };
  throw new DeploymentError("UNAVAILABLE", `${authorityUrl} does not answer as an authority does; check its address.`);
}
