import { createHash, randomBytes } from "node:crypto";

const RANDOM_BYTES = 32;
/** How long a one-time code is valid. Source: decisions I6, V18. */
export const ONE_TIME_CODE_LIFETIME_MS: number = 24 * 3_600_000;

/** A one-time code, which is shown once, and the hash that is stored. */
export interface OneTimeCode {
  readonly code: string;
  readonly codeHash: Buffer;
}

/** Makes a one-time code: the prefix, and 32 random bytes in base64url. Refuses: never. Source: decision I6. */
export function createOneTimeCode(prefix: string): OneTimeCode {
  const code = `${prefix}${randomBytes(RANDOM_BYTES).toString("base64url")}`;
  return { code, codeHash: hashOneTimeCode(code) };
}

/** The SHA-256 under which a one-time code is stored. Refuses: never. */
export function hashOneTimeCode(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}
