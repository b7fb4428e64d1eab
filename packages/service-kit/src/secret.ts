import { createHash, timingSafeEqual } from "node:crypto";
import { inspect } from "node:util";

const REDACTED = "<redacted>";

/** A text that must not be shown: every way of printing it gives `<redacted>`, only `reveal()` gives the text. */
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

/** Tells whether a text is a secret's, in a time that does not depend on how much of it is right. Refuses: never. */
export function isTextOf(secret: Secret, text: string): boolean {
  // Digests, since only equal lengths are compared in constant time.
  return timingSafeEqual(digest(secret.reveal()), digest(text));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
