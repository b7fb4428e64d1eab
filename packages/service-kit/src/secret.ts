import { createHash, timingSafeEqual } from "node:crypto";
import { inspect } from "node:util";

const REDACTED = "<redacted>";

/** A text that must not be shown: every way of printing it gives `<redacted>`; only `reveal()` returns the text. */
export interface Secret {
  readonly reveal: () => string;
  readonly toString: () => string;
  readonly toJSON: () => string;
  readonly [inspect.custom]: () => string;
}

/**
 * Wraps a text so that logs, errors, templates and `JSON.stringify` cannot show it by mistake.
 *
 * Refuses: never. Source: decision P7.
 */
export function createSecret(text: string): Secret {
  const redacted = () => REDACTED;
  return Object.freeze({ reveal: () => text, toString: redacted, toJSON: redacted, [inspect.custom]: redacted });
}

/** Compares a text with a secret in constant time. Refuses: never. */
export function isTextOf(secret: Secret, text: string): boolean {
  // Digests, because the constant-time comparison needs equal lengths.
  return timingSafeEqual(digest(secret.reveal()), digest(text));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
