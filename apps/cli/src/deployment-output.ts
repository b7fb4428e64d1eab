import { UpstreamError } from "@dataspace/clients/upstream-error";
import { DeploymentError } from "@dataspace/deployment/deployment-error";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { VaultError } from "@dataspace/vault-client/vault-error";
import { WalletError } from "@dataspace/wallet/wallet-error";
import { printable } from "./printable.ts";

/** What a deployment command says: for people as lines, or as one JSON object. */
export interface CommandResult {
  readonly lines: readonly string[];
  readonly json: object;
  /** False when the command did what it was asked for and the answer is no; the exit code is then 1. */
  readonly ok?: boolean;
}

const EXIT_REFUSED = 1;

/**
 * Runs a deployment command and prints its result, or in one sentence why there is none.
 *
 * Refuses: whatever is not a refusal by a party or a wrong input. Source: decision V2.
 */
export async function printResult(asJson: boolean, work: () => Promise<CommandResult>): Promise<void> {
  try {
    const { lines, json, ok = true } = await work();
    for (const line of asJson ? [JSON.stringify(json)] : lines) console.log(printable(line));
    if (!ok) process.exitCode = EXIT_REFUSED;
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) throw error;
    if (asJson) console.log(JSON.stringify({ error: refusal }));
    else console.error(printable(`${refusal.code}: ${refusal.message}`));
    process.exitCode = EXIT_REFUSED;
  }
}

function toRefusal(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const isRefusal =
    error instanceof DeploymentError ||
    error instanceof ProtocolError ||
    error instanceof UpstreamError ||
    error instanceof VaultError ||
    error instanceof WalletError;
  return isRefusal ? { code: error.code, message: error.message } : undefined;
}
