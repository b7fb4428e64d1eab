import {
  attestDocuments,
  type DeploymentAttestation,
  type DeploymentInput,
  draftDocuments,
} from "@dataspace/protocol/deployment-bundle";
import { readDocument } from "./read-document.ts";
import type { DocumentSigner } from "./sign-binding-document.ts";
import { signText } from "./sign-text.ts";

/**
 * Authorises a deployment: the signer states that this key runs this release of this platform in this environment.
 *
 * Refuses: INVALID_DOCUMENT with the invalid member; KEY_FAILED.
 * Source: S3 "Platform authentication", "Canonical payloads"; decision A1.
 */
export async function signDeployment(
  input: DeploymentInput,
  { ename, key, clock }: DocumentSigner,
): Promise<DeploymentAttestation> {
  const documents = readDocument((deployment: DeploymentInput) => draftDocuments(deployment, ename), input);
  return attestDocuments(documents, { ename, sign: (text) => signText(key, text), nowMs: clock.nowMs() });
}
