const LOWER = /^(?:[0-9a-f]{2})*$/;
const UPPER = /^(?:[0-9A-F]{2})*$/;

/**
 * Writes bytes as lower-case hex.
 *
 * Refuses: never.
 * Source: RFC 4648 section 8.
 */
export function encodeHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    text += byte.toString(16).padStart(2, "0");
  }
  return text;
}

/**
 * Reads hex of one case and even length, without surrounding text.
 *
 * Out: the bytes, or undefined when the text is anything else.
 * Refuses: never.
 * Source: RFC 4648 section 8; decision I9 (one text for the same bytes in the same case).
 */
export function decodeHex(text: string): Uint8Array | undefined {
  if (!LOWER.test(text) && !UPPER.test(text)) {
    return undefined;
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}
