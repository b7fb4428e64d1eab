import { base64 } from "@scure/base";

const ALPHABET = /^[A-Za-z0-9+/]*$/;

/**
 * Writes bytes in base64 with padding.
 *
 * Refuses: never.
 * Source: RFC 4648 section 4.
 */
export function encodeBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/**
 * Reads base64 of the standard alphabet, with complete padding or none.
 *
 * Out: the bytes, or undefined for any other text: other characters, partial padding, or non-zero left-over bits, which
 * would give two texts for the same bytes.
 * Refuses: never.
 * Source: RFC 4648 sections 3.5 and 4; decision I9.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bare = withoutPadding(text);
  if (!ALPHABET.test(bare) || (bare !== text && text.length % 4 !== 0)) {
    return undefined;
  }
  try {
    // The platform decodes padded text only; a length of 4n + 1 has no padding and is refused there.
    return base64.decode(bare === text ? withPadding(bare) : text);
  } catch {
    return undefined;
  }
}

/** Completes base64 of either alphabet to a multiple of four characters. Refuses: never. Source: RFC 4648 section 4. */
export function withPadding(bare: string): string {
  return bare + "=".repeat(-bare.length & 3);
}

/** Removes the padding of base64, one or two characters. Refuses: never. Source: RFC 4648 section 3.2. */
export function withoutPadding(text: string): string {
  if (!text.endsWith("=")) return text;
  return text.slice(0, text.endsWith("==") ? -2 : -1);
}
