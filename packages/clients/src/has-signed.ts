import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import type { FindCertifiedKeys } from "./certified-keys.ts";

/** A signature over a text, and whose it is said to be. With `fresh` the signer's keys are asked for anew, not taken as kept. */
export interface SignedText {
  readonly signer: EName;
  readonly text: string;
  readonly signature: string;
  readonly fresh?: boolean;
}

/** Tells whether a key that is certified for an eName signed a text. Refuses: UpstreamError when its keys cannot be had. */
export type HasSigned = (signed: SignedText) => Promise<boolean>;

/** Makes that question; everybody's keys are found in the same way, those of the asking service's own owners too. Source: decision I9. */
export function createHasSigned(deps: {
  readonly findCertifiedKeys: FindCertifiedKeys;
  /** Takes a key as SPKI. */
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}): HasSigned {
  return async ({ signer, text, signature, fresh = false }) => {
    const data = new TextEncoder().encode(text);
    for (const { point } of await deps.findCertifiedKeys(signer, { fresh })) {
      if ((await verifySignature(deps.verifyEcdsa, { key: pointToSpki(point), data, signature })) !== undefined)
        return true;
    }
    return false;
  };
}
