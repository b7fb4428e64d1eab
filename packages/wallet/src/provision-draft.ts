import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { entropyToEName } from "@dataspace/protocol/derived-ename";
import type { EName } from "@dataspace/protocol/ename";
import { WalletError } from "./wallet-error.ts";

/** A request for an identity. `id` is the wallet's own name for it, under which its key is stored. */
export interface ProvisionInput {
  readonly id: string;
  /** The operator's single-use code, or the development stack's demo code. */
  readonly verificationId: string;
}

/**
 * The progress of a provisioning: plain JSON, which the wallet stores until it has the identity. `begun`: there is a
 * key. `entropy`: the registry gave entropy, and a vault may have been requested with it. `vault`: there is a vault. It
 * contains codes and a token that are usable until the vault exists: store it as privately as the key.
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
 * Computes the eName that a draft's entropy gives, which the provisioner must compute too.
 *
 * Refuses: UNEXPECTED_ANSWER when the registry's entropy is not a token with entropy. Source: decision V17.
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
