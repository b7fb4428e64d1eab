import { attestDocuments, type DeploymentInput, draftDocuments } from "@dataspace/platform-auth/signing/build-bundle";
import type { DeploymentAttestation } from "@dataspace/platform-auth/evidence";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

/**
 * Authorises a deployment: the signer says that this key runs this release of this platform in this environment.
 *
 * Refuses: INVALID_DOCUMENT with the member that is wrong; KEY_FAILED.
 * Source: S3 "Platform authentication", "Canonical payloads"; decision A1.
 */
export async function signDeployment(
  input: DeploymentInput,
  { ename, key, clock }: DocumentSigner,
): Promise<DeploymentAttestation> {
  const documents = readDocument((deployment: DeploymentInput) => draftDocuments(deployment, ename), input);
  return attestDocuments(documents, { ename, sign: (text) => signText(key, text), nowMs: clock.nowMs() });
}
