import { verifySignature } from "@dataspace/protocol/signature";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { EName } from "@dataspace/protocol/ename";
import { createVerifyEcdsa } from "../caller/verify-ecdsa.ts";

/** Tells whether a key that is certified for an eName signed a text. Refuses: UpstreamError when its keys cannot be had. */
export type HasSigned = (signer: EName, text: string, signature: string) => Promise<boolean>;

/** Makes that question; everybody's keys are found in the same way, those of this vault's own owners too. Source: decision I9. */
export function createHasSigned(deps: { readonly findCertifiedKeys: FindCertifiedKeys }): HasSigned {
  const verifyEcdsa = createVerifyEcdsa();
  return async (signer, text, signature) => {
    const data = Buffer.from(text);
    for (const { point } of await deps.findCertifiedKeys(signer)) {
      if ((await verifySignature(verifyEcdsa, { key: point, data, signature })) !== undefined) return true;
    }
    return false;
  };
}
