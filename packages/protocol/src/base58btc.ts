import { base58 } from "@scure/base";

const ALPHABET = /^[1-9A-HJ-NP-Za-km-z]*$/;
// Decoding costs the square of the length; the longest key or signature needs 124 characters.
const MAX_CHARS = 256;

/**
 * Writes bytes in base58 with Bitcoin's alphabet, without the multibase prefix `z`.
 *
 * Refuses: never.
 * Source: S1 publicKey "multibase string starting with z"; multibase base58btc.
 */
export function encodeBase58btc(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/**
 * Reads base58 with Bitcoin's alphabet, without the multibase prefix, up to 256 characters.
 *
 * Out: the bytes, or undefined when the text is anything else.
 * Refuses: never.
 * Source: multibase base58btc; decision I9.
 */
export function decodeBase58btc(text: string): Uint8Array | undefined {
  return text.length <= MAX_CHARS && ALPHABET.test(text) ? base58.decode(text) : undefined;
}
