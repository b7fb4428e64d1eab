import { pointToSpki } from "@dataspace/protocol/public-key";
import { verifySignature } from "@dataspace/protocol/signature";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify, SignatureEncoding } from "@dataspace/protocol/signature";
import type { CertifiedKey } from "./ask-certified-keys.ts";
import type { FindCertifiedKeys } from "./certified-keys.ts";

/**
 * A signature over a text, and its claimed signer. With `fresh` the signer's keys are requested again, not read from
 * the cache.
 */
export interface SignedText {
  readonly signer: EName;
  readonly text: string;
  readonly signature: string;
  readonly fresh?: boolean;
}

/**
 * Checks whether a key that is certified for an eName signed a text. Refuses: UpstreamError when its keys are not
 * available.
 */
export type HasSigned = (signed: SignedText) => Promise<boolean>;

interface SignatureDeps {
  readonly findCertifiedKeys: FindCertifiedKeys;
  /** Converts a point to a key in SPKI form. */
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
}

/** Makes `HasSigned`. The keys of this service's own owners are looked up like all others. Source: decision I9. */
export function createHasSigned(deps: SignatureDeps): HasSigned {
  return async ({ signer, fresh = false, ...signed }) => {
    const keys = await deps.findCertifiedKeys(signer, { fresh });
    return (await findEncoding(deps.verifyEcdsa, keys, signed)) !== undefined;
  };
}

/**
 * Verifies a signature with each of the given certified keys.
 *
 * Out: the encoding of the signature that verified, or undefined if no key signed the text. Refuses: never. Source:
 * decision I9.
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
