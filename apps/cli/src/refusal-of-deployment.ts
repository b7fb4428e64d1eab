import { UpstreamError } from "@dataspace/clients/upstream-error";
import { DeploymentError } from "@dataspace/deployment/deployment-error";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { VaultError } from "@dataspace/vault-client/vault-error";
import { WalletError } from "@dataspace/wallet/wallet-error";
import type { ShownRefusal } from "./print-outcome.ts";

const EXIT_REFUSED = 1;

/** Finds the refusal in an error of a deployment command: by a party, or of a wrong input. Out: undefined for an internal error. */
export function refusalOfDeployment(error: unknown): ShownRefusal | undefined {
  const isRefusal =
    error instanceof DeploymentError ||
    error instanceof ProtocolError ||
    error instanceof UpstreamError ||
    error instanceof VaultError ||
    error instanceof WalletError;
  return isRefusal ? { code: error.code, message: error.message, exitCode: EXIT_REFUSED } : undefined;
}
