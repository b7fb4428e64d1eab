import { type EName, parseEName } from "./ename.ts";
import { ProtocolError } from "./protocol-error.ts";
import { decodePublicKey } from "./public-key.ts";
import { faultOfTimes } from "./token-times.ts";

/**
 * The content of a key binding certificate: this key belongs to this eName. `publicKey` is verbatim as the wallet sent
 * it.
 */
export interface KeyBindingClaims {
  readonly ename: EName;
  readonly publicKey: string;
  /** The key's point, 65 bytes uncompressed. */
  readonly point: Uint8Array;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

/** An hour (S1 Limits) plus the minute by which clocks may differ. */
const MAX_LIFETIME_SECONDS = 3660;

/**
 * Validates the claims of a key binding certificate. The caller has verified its signature with the registry's keys.
 *
 * In: the unverified payload; `ename` whose key it must be.
 * Refuses: INVALID_CERTIFICATE for another eName, a key that does not decode, a lifetime over an hour, times off by
 * more than 60 s, and for a token that carries `platform` or `entropy`.
 * Source: S1 Key binding certificate; decisions I4 and I9.
 */
export function validateKeyBindingClaims(
  payload: Readonly<Record<string, unknown>>,
  expected: { readonly ename: EName; readonly nowSeconds: number },
): KeyBindingClaims {
  if (Object.hasOwn(payload, "platform") || Object.hasOwn(payload, "entropy")) {
    throw refusal("it is another kind of token");
  }
  const { ename, publicKey, iat, exp } = payload;
  if (typeof ename !== "string" || typeof publicKey !== "string") {
    throw refusal("it needs ename and publicKey");
  }
  const fault = faultOfTimes(payload, { nowSeconds: expected.nowSeconds, maxLifetimeSeconds: MAX_LIFETIME_SECONDS });
  if (fault !== undefined) {
    throw refusal(fault);
  }
  return {
    ename: checkEName(ename, expected.ename),
    publicKey,
    point: decodeCertifiedKey(publicKey),
    issuedAtSeconds: iat as number,
    expiresAtSeconds: exp as number,
  };
}

function checkEName(text: string, expected: EName): EName {
  try {
    if (parseEName(text) === expected) {
      return expected;
    }
  } catch {
    // A value that is not an eName differs from the expected one.
  }
  throw refusal(`it is not for ${expected}`);
}

function decodeCertifiedKey(text: string): Uint8Array {
  try {
    return decodePublicKey(text).point;
  } catch {
    throw refusal("its publicKey is not a P-256 key");
  }
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_CERTIFICATE", `The key binding certificate is refused: ${why}.`);
}
