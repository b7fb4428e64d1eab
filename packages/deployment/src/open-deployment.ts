import { setTimeout as wait } from "node:timers/promises";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { createDeploymentState } from "./deployment-state.ts";
import { openStateFiles } from "./state-files.ts";

/**
 * Opens the deployment of a directory, new or begun earlier.
 *
 * In: the directory, and what is outside of the process. Refuses: never; each step refuses for itself.
 */
export function openDeployment(
  directory: string,
  outside: Pick<DeploymentDeps, "fetch" | "clock" | "verifyEcdsa">,
): DeploymentDeps {
  return { ...outside, wait: (ms) => wait(ms), state: createDeploymentState(openStateFiles(directory)) };
}
