import { base64, base64nopad } from "@scure/base";

const SHAPE = /^[A-Za-z0-9+/]*={0,2}$/;

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
 * Reads base64 of the standard alphabet, with its whole padding or none.
 *
 * Out: the bytes, or undefined when the text is anything else: other characters, half a padding, or left-over bits that
 * are not zero, which would give two texts for the same bytes.
 * Refuses: never.
 * Source: RFC 4648 sections 3.5 and 4; decision I9.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bare = withoutPadding(text);
  if (!SHAPE.test(text) || bare.length % 4 === 1 || (bare !== text && text.length % 4 !== 0)) {
    return undefined;
  }
  try {
    return base64nopad.decode(bare);
  } catch {
    return undefined;
  }
}

// Not by a regular expression: one that looks for a run at the end is tried at each place of every other run.
function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "=") end -= 1;
  return text.slice(0, end);
}
