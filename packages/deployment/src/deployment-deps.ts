import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { DeploymentState } from "./deployment-state.ts";

/** What the steps of a deployment work with. `wait` resolves after so many milliseconds. */
export interface DeploymentDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly wait: (ms: number) => Promise<void>;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  readonly state: DeploymentState;
}
