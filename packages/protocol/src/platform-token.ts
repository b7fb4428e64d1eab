import { ProtocolError } from "./protocol-error.ts";
import { faultOfTimes } from "./token-times.ts";

/** The content of a legacy platform token: a platform's name, address or eName, as it was given to the registry. */
export interface PlatformClaims {
  readonly platform: string;
  /** When it says that it was issued; undefined where it does not say so. */
  readonly issuedAtSeconds: number | undefined;
  readonly expiresAtSeconds: number;
}

const YEAR_SECONDS = 366 * 86_400;
// Control characters would break log lines, and NUL cannot be stored at all.
const PLATFORM = /^[^\p{Cc}\p{Cs}]{1,512}$/u;
/** Claims of the other tokens that the same registry key signs. */
const FOREIGN_CLAIMS = ["ename", "publicKey", "entropy"] as const;

/**
 * Validates the claims of a legacy platform token. The caller has verified its signature with the registry's keys.
 *
 * In: the unverified payload; `iat` may be missing, then the lifetime counts from now.
 * Refuses: INVALID_TOKEN without a `platform` of 1 to 512 characters or without `exp`, with a lifetime over a year,
 * with times off by more than 60 s, and for an entropy token or a key binding certificate, which are never bearer
 * tokens.
 * Source: S1 Authentication, "Platform token"; decision I4.
 */
export function validatePlatformClaims(
  payload: Readonly<Record<string, unknown>>,
  expected: { readonly nowSeconds: number },
): PlatformClaims {
  const foreign = FOREIGN_CLAIMS.find((name) => Object.hasOwn(payload, name));
  if (foreign !== undefined) {
    throw refusal(`it carries ${foreign}, so it is another kind of token`);
  }
  const { platform, iat = expected.nowSeconds, exp, nbf } = payload;
  if (typeof platform !== "string" || !PLATFORM.test(platform)) {
    throw refusal("its platform must be 1 to 512 characters of text");
  }
  const fault = faultOfTimes({ iat, exp, nbf }, { nowSeconds: expected.nowSeconds, maxLifetimeSeconds: YEAR_SECONDS });
  if (fault !== undefined) {
    throw refusal(fault);
  }
  return { platform, issuedAtSeconds: payload["iat"] as number | undefined, expiresAtSeconds: exp as number };
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_TOKEN", `The platform token is refused: ${why}. Ask the registry for a new one.`);
}
