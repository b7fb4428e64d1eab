import { type CompactJws, parseCompactJws } from "./compact-jws.ts";
import { type EName, isEName, parseEName } from "./ename.ts";
import { ProtocolError } from "./protocol-error.ts";
import { faultOfTimes } from "./token-times.ts";

/** The `typ` that distinguishes a wallet token from all other tokens; it alone selects the verifier. */
export const WALLET_TOKEN_TYP = "ds-wallet+jwt";

/** The validated content of a wallet token: `ename` speaks to `audience`, once per `jti` when it writes. */
export interface WalletClaims {
  readonly ename: EName;
  readonly audience: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
  readonly jti: string;
  /**
   * The key id of the token's kid, `default` when it names none. It selects nothing: any key in force may have signed.
   */
  readonly keyId: string;
}

/** The record of a spent wallet token. `expiresAt` is ISO 8601. Source: decision I6. */
export interface WalletTokenUse {
  readonly token: string;
  readonly expiresAt: string;
}

const MAX_LIFETIME_SECONDS = 600;
const JTI = /^[\x21-\x7e]{1,128}$/;

/**
 * Validates a wallet token's header and claims. The caller verifies its signature with the keys of `ename`.
 *
 * In: the token's text or its parts; `audience` the owner's eName, or the origin of a service that is not a vault.
 * Refuses: INVALID_TOKEN for another `typ`, `iss` and `sub` that are not the same eName as in `kid`, an `aud` that is
 * not exactly the audience, a missing `jti`, a lifetime over 600 s, and times off by more than 60 s.
 * Source: decision I4; RFC 7519; RFC 8725 section 3.11.
 */
export function validateWalletClaims(
  token: string | CompactJws,
  expected: { readonly audience: string; readonly nowSeconds: number },
): WalletClaims {
  const { header, payload } = typeof token === "string" ? parseCompactJws(token) : token;
  if (header.typ !== WALLET_TOKEN_TYP) {
    throw refusal(`its typ is not ${WALLET_TOKEN_TYP}`);
  }
  const { ename, keyId } = parseKeyName(header.kid);
  if (!isSameEName(payload["iss"], ename) || !isSameEName(payload["sub"], ename)) {
    throw refusal("iss, sub and the eName in kid must be the same eName");
  }
  if (payload["aud"] !== expected.audience) {
    throw refusal(`its aud must be exactly ${expected.audience}`);
  }
  const jti = payload["jti"];
  if (typeof jti !== "string" || !JTI.test(jti)) {
    throw refusal("its jti must be 1 to 128 printable characters");
  }
  const fault = faultOfTimes(payload, { nowSeconds: expected.nowSeconds, maxLifetimeSeconds: MAX_LIFETIME_SECONDS });
  if (fault !== undefined) {
    throw refusal(fault);
  }
  return {
    ename,
    audience: expected.audience,
    issuedAtSeconds: payload["iat"] as number,
    expiresAtSeconds: payload["exp"] as number,
    jti,
    keyId,
  };
}

/**
 * Identifies the one writing request of a wallet token, by its issuer and its jti. Refuses: never. Source: decision I6.
 */
export function walletTokenUse({ ename, jti, expiresAtSeconds }: WalletClaims): WalletTokenUse {
  return { token: `${ename} ${jti}`, expiresAt: new Date(expiresAtSeconds * 1000).toISOString() };
}

/**
 * Parses the `kid` of a wallet token: an eName, optionally followed by `#` and a key id.
 *
 * Refuses: INVALID_TOKEN for a kid of another form.
 * Source: decision I4; S1 "the default key id is `default`".
 */
function parseKeyName(kid: string): { readonly ename: EName; readonly keyId: string } {
  const hash = kid.indexOf("#");
  const [name, keyId] = hash < 0 ? [kid, "default"] : [kid.slice(0, hash), kid.slice(hash + 1)];
  const ename = name.toLowerCase();
  if (!isEName(ename) || keyId === "") {
    throw refusal("its kid must be an eName, or an eName, # and a key id");
  }
  return { ename, keyId };
}

function isSameEName(claim: unknown, ename: EName): boolean {
  try {
    return typeof claim === "string" && parseEName(claim) === ename;
  } catch {
    return false;
  }
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_TOKEN", `The wallet token is refused: ${why}. Have the wallet issue a new one.`);
}
