import { hex } from "@scure/base";

const LOWER = /^(?:[0-9a-f]{2})*$/;
const UPPER = /^(?:[0-9A-F]{2})*$/;

/**
 * Writes bytes as lower-case hex.
 *
 * Refuses: never.
 * Source: RFC 4648 section 8.
 */
export function encodeHex(bytes: Uint8Array): string {
  return hex.encode(bytes);
}

/**
 * Reads hex of one case and even length, without surrounding text.
 *
 * Out: the bytes, or undefined when the text is anything else.
 * Refuses: never.
 * Source: RFC 4648 section 8; decision I9 (one text for the same bytes in the same case).
 */
export function decodeHex(text: string): Uint8Array | undefined {
  return LOWER.test(text) || UPPER.test(text) ? hex.decode(text) : undefined;
}
