import { buildBundle, type DeploymentAttestation, type DeploymentInput } from "@dataspace/protocol/deployment-bundle";
import type { EName } from "@dataspace/protocol/ename";
import type { AskSignature } from "./ask-signature.ts";
import type { DeploymentDeps } from "./deployment-deps.ts";
import type { DeploymentSettings } from "./deployment-state.ts";
import { getPersonSignature } from "./person-signature.ts";

/**
 * Has a person authorise the deployment: the key, the environment and the release, under one signature.
 *
 * Out: the two documents and their bundle, stored. What this person authorised before is not asked for again.
 * Refuses: STEP_MISSING; as `getPersonSignature`. Source: S3 "Platform authentication", "Canonical payloads"; decision A1.
 */
export async function authorise(
  deps: DeploymentDeps,
  deployer: EName,
  ask: AskSignature,
): Promise<DeploymentAttestation> {
  const settings = await deps.state.get("settings");
  const known = await deps.state.find("attestation");
  if (known?.attestationBundle.signer === deployer) return known;
  const { deploymentName, environment, release, registryUrl } = settings;
  const shown = {
    platform: release.platformName,
    version: release.version,
    deployment: deploymentName,
    environment,
    publicKey: settings.publicKey,
  };
  const sign = async (text: string): Promise<string> => {
    const { signature } = await getPersonSignature(deps, { registryUrl, signer: deployer, text, shown }, ask);
    return signature;
  };
  const attestation = await buildBundle(toInput(settings), { ename: deployer, sign, nowMs: deps.clock.nowMs() });
  await deps.state.put("attestation", attestation);
  return attestation;
}

function toInput({ release, ...deployment }: DeploymentSettings): DeploymentInput {
  const { deploymentEname, deploymentName, environment, publicKey } = deployment;
  const { platformEName: platformEname, version, releaseTag, commitSha } = release;
  return { deploymentEname, deploymentName, environment, publicKey, platformEname, version, releaseTag, commitSha };
}
