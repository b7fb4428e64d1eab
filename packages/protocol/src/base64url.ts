import { base64url } from "@scure/base";
import { decodeBase64, withoutPadding, withPadding } from "./base64.ts";

const SHAPE = /^[A-Za-z0-9_-]*$/;

/**
 * Writes bytes in base64url without padding.
 *
 * Refuses: never.
 * Source: RFC 4648 section 5; RFC 7515 section 2.
 */
export function encodeBase64Url(bytes: Uint8Array): string {
  return withoutPadding(base64url.encode(bytes));
}

/**
 * Reads base64url without padding.
 *
 * Out: the bytes, or undefined when the text is anything else, padding and non-zero left-over bits included.
 * Refuses: never.
 * Source: RFC 4648 sections 3.5 and 5; RFC 7515 section 2.
 */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (!SHAPE.test(text)) {
    return undefined;
  }
  try {
    return base64url.decode(withPadding(text));
  } catch {
    return undefined;
  }
}

/**
 * Reads base64 of an unknown alphabet: standard or URL-safe, never mixed, with complete padding or none.
 *
 * Out: the bytes, or undefined when the text is anything else.
 * Refuses: never.
 * Source: RFC 4648 sections 4 and 5; decision I9.
 */
export function decodeEitherBase64(text: string): Uint8Array | undefined {
  if (!/[-_]/.test(text)) {
    return decodeBase64(text);
  }
  return /[+/]/.test(text) ? undefined : decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}
