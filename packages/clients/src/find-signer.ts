import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { CertifiedKey } from "./ask-certified-keys.ts";
import type { FindCertifiedKeys } from "./certified-keys.ts";
import { findEncoding, type SignedText } from "./has-signed.ts";

/**
 * Finds the key, certified for an eName, that signed a text. Out: undefined when none did. Refuses: UpstreamError when its keys are
 * not available.
 */
export type FindSigner = (signed: SignedText) => Promise<CertifiedKey | undefined>;

/** Makes `FindSigner`. `verifyEcdsa` takes a key as SPKI. Source: decision I9. */
export function createFindSigner({
  findCertifiedKeys,
  verifyEcdsa,
}: {
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}): FindSigner {
  return async ({ signer, fresh = false, ...signed }) => {
    for (const key of await findCertifiedKeys(signer, { fresh })) {
      if ((await findEncoding(verifyEcdsa, [key], signed)) !== undefined) return key;
    }
    return undefined;
  };
}
