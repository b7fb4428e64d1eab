import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { entropyToEName } from "@dataspace/protocol/derived-ename";
import type { EName } from "@dataspace/protocol/ename";
import { WalletError } from "./wallet-error.ts";

/** What an identity is asked for with. `id` is the wallet's own name for it, under which its key is kept. */
export interface ProvisionInput {
  readonly id: string;
  /** The operator's single-use code, or the development stack's demo code. */
  readonly verificationId: string;
}

/**
 * How far a provisioning has come: plain JSON, which the wallet keeps until it has the identity. `begun`: there is a key.
 * `entropy`: the registry gave entropy, and a vault may have been asked for with it. `vault`: there is a vault.
 * It holds codes and a token that are of use until the vault is there: keep it as private as the key.
 */
export type ProvisionDraft = ProvisionInput & { readonly publicKey: string; readonly namespace: string } & (
    | { readonly step: "begun" }
    | { readonly step: "entropy"; readonly registryEntropy: string }
    | { readonly step: "vault"; readonly ename: EName; readonly vaultUrl: string }
  );

/** A person's eName with its vault; plain JSON. Its key is in the key store under `id`. */
export interface Identity {
  readonly id: string;
  readonly ename: EName;
  readonly vaultUrl: string;
  readonly publicKey: string;
}

/**
 * Computes the eName that a draft's entropy gives, which the provisioner has to arrive at too.
 *
 * Refuses: UNEXPECTED_ANSWER when the registry's entropy is no token with entropy. Source: decision V17.
 */
export function draftToEName(draft: { readonly namespace: string; readonly registryEntropy: string }): EName {
  try {
    return entropyToEName(draft.namespace, parseCompactJws(draft.registryEntropy).payload["entropy"] as string);
  } catch (cause) {
    const message =
      "The registry's entropy is not a token with entropy. Check the registry's address, and begin again.";
    throw new WalletError("UNEXPECTED_ANSWER", message, { cause });
  }
}
