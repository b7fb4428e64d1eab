import { createHash } from "node:crypto";

/** Computes the base64url SHA-256 of a text, apart from the code under test. Refuses: never. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
