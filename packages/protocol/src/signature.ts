import { decodeBase58btc } from "./base58btc.ts";
import { decodeBase64 } from "./base64.ts";
import { decodeEitherBase64 } from "./base64url.ts";
import { derSignatureToRaw, isInRange } from "./der-signature.ts";
import { decodeHex } from "./hex.ts";

/** How a signature was spelled. Hardware wallets write base58btc, software wallets base64 (S2). */
export type SignatureEncoding = "base58btc" | "multibase-base64" | "multibase-hex" | "hex" | "base64";

/** One way to read a signature's text: r and s, 32 bytes each. */
export interface SignatureCandidate {
  readonly bytes64: Uint8Array;
  readonly encoding: SignatureEncoding;
}

/** The ECDSA P-256 check with SHA-256, from the caller's crypto library. `raw64` is r and s. */
export type EcdsaVerify<Key> = (key: Key, data: Uint8Array, raw64: Uint8Array) => boolean | Promise<boolean>;

const MIN_CHARS = 11;
const MAX_CHARS = 160;

/** In the order of trial: how a text is recognised, and how it is read. */
const READINGS: readonly {
  readonly encoding: SignatureEncoding;
  readonly prefix: string;
  readonly decode: (rest: string) => Uint8Array | undefined;
}[] = [
  { encoding: "base58btc", prefix: "z", decode: decodeBase58btc },
  { encoding: "multibase-base64", prefix: "m", decode: decodeBase64 },
  { encoding: "multibase-hex", prefix: "f", decode: decodeHex },
  { encoding: "hex", prefix: "0x", decode: decodeHex },
  { encoding: "base64", prefix: "", decode: decodeEitherBase64 },
];

/**
 * Lists the possible readings of a signature's text, in a fixed order. A bare base64 signature may start with z, m or f
 * by chance, so a prefix alone decides nothing.
 *
 * In: 11 to 160 characters. Out: the readings that are 64 bytes or strict DER, with 0 < r, s < n; often none, rarely
 * two.
 * Refuses: never.
 * Source: decision I9; S2 signature encodings.
 */
export function signatureCandidates(text: string): readonly SignatureCandidate[] {
  if (text.length < MIN_CHARS || text.length > MAX_CHARS) {
    return [];
  }
  return READINGS.flatMap(({ encoding, prefix, decode }) => {
    const bytes = text.startsWith(prefix) ? decode(text.slice(prefix.length)) : undefined;
    const bytes64 = bytes?.length === 64 ? bytes : bytes && derSignatureToRaw(bytes);
    return bytes64 && isInRange(bytes64) ? [{ bytes64, encoding }] : [];
  });
}

/**
 * Verifies a signature's text over data.
 *
 * In: `ecdsa` the check, the signer's `key` in the form that the check takes, the signed `data`. Out: the encoding that
 * verified, or undefined when none did.
 * Refuses: never by itself.
 * Source: decision I9. There is no low-S rule, so a second valid text exists for every signature: key nothing on it.
 */
export async function verifySignature<Key>(
  ecdsa: EcdsaVerify<Key>,
  input: { readonly key: Key; readonly data: Uint8Array; readonly signature: string },
): Promise<SignatureEncoding | undefined> {
  for (const { bytes64, encoding } of signatureCandidates(input.signature)) {
    if (await ecdsa(input.key, input.data, bytes64)) {
      return encoding;
    }
  }
  return undefined;
}
