import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify, SignatureEncoding } from "@dataspace/protocol/signature";
import type { CertifiedKey } from "./ask-certified-keys.ts";
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

interface SignatureDeps {
  readonly findCertifiedKeys: FindCertifiedKeys;
  /** Takes a key as SPKI. */
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}

/** Makes `HasSigned`. Keys of this service's own owners are found in the same way as everybody's. Source: decision I9. */
export function createHasSigned(deps: SignatureDeps): HasSigned {
  return async ({ signer, fresh = false, ...signed }) => {
    const keys = await deps.findCertifiedKeys(signer, { fresh });
    return (await findEncoding(deps.verifyEcdsa, keys, signed)) !== undefined;
  };
}

/**
 * Finds out how a text was signed by one of some certified keys.
 *
 * Out: the encoding of the signature that verified, or undefined if no key signed the text. Refuses: never. Source: decision I9.
 */
export async function findEncoding(
  verifyEcdsa: EcdsaVerify<Uint8Array>,
  keys: readonly CertifiedKey[],
  { text, signature }: Pick<SignedText, "text" | "signature">,
): Promise<SignatureEncoding | undefined> {
  const data = new TextEncoder().encode(text);
  for (const { point } of keys) {
    const encoding = await verifySignature(verifyEcdsa, { key: pointToSpki(point), data, signature });
    if (encoding !== undefined) return encoding;
  }
  return undefined;
}
