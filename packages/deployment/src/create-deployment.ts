import { type EName, parseEName } from "@dataspace/protocol/ename";
import { createNodeCryptoKey, importNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import { DeploymentError } from "./deployment-error.ts";
import type { DeploymentSettings, DeploymentState } from "./deployment-state.ts";
import type { Release } from "./release.ts";

/** What a new deployment is: `deploymentEname` is made when absent. */
export interface NewDeployment {
  readonly release: Release;
  readonly deploymentName: string;
  readonly environment: string;
  readonly deploymentEname?: EName | undefined;
  readonly registryUrl: string;
  readonly authorityUrl: string;
}

/**
 * Makes a deployment's key and stores it with what the deployment runs. The key stays in the directory.
 *
 * Out: the settings, which hold the public key alone. Refuses: ALREADY_THERE. Source: S3 "Platform authentication".
 */
export async function createDeployment(state: DeploymentState, input: NewDeployment): Promise<DeploymentSettings> {
  if ((await state.find("settings")) !== undefined) {
    const message = `${state.directory} has a deployment already; continue it, or choose another directory with --dir.`;
    throw new DeploymentError("ALREADY_THERE", message);
  }
  // A start that was interrupted between the two files goes on with its key.
  const known = await state.find("key");
  const key = known === undefined ? createNodeCryptoKey() : importNodeCryptoKey(known);
  if (known === undefined) await state.put("key", await key.exportJwk());
  const deploymentEname = input.deploymentEname ?? parseEName(`@${crypto.randomUUID()}`);
  const settings = { ...input, deploymentEname, publicKey: key.publicKey };
  await state.put("settings", settings);
  return settings;
}
