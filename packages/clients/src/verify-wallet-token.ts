import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { validateWalletClaims, type WalletClaims } from "@dataspace/protocol/wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { EcdsaVerify } from "@dataspace/protocol/signature";
import { type FindCertifiedKeys, isUnknownEName } from "./certified-keys.ts";

/** Verifies a wallet token, its text or its parts, for an audience, and returns its claims. */
export type VerifyWalletToken = (token: string | CompactJws, audience: string) => Promise<WalletClaims>;

/** What the check needs from its service. */
export interface WalletTokenDeps {
  readonly clock: { readonly nowMs: () => number };
  readonly log: { readonly warn: (entry: object, message: string) => void };
  readonly findCertifiedKeys: FindCertifiedKeys;
  /** Returns the points of the keys in force for an eName whose key log this service has; undefined for any other. */
  readonly findOwnPoints?: (ename: EName) => Promise<readonly Uint8Array[] | undefined>;
  /** Converts a point to a key in SPKI form. */
  readonly verifyEcdsa: EcdsaVerify<Uint8Array>;
  /** Makes the service's refusal: the token is invalid, or it cannot be checked now. */
  readonly refuse: (code: "INVALID_TOKEN" | "REGISTRY_UNAVAILABLE", message: string) => Error;
}

/**
 * Makes the verifier of wallet tokens: the claims must match the audience, and any key in force of the token's eName
 * must have signed.
 *
 * Refuses: INVALID_TOKEN, also for an unknown eName; REGISTRY_UNAVAILABLE when the keys are not available.
 * Source: decisions I4, V2; RFC 7515.
 */
export function createVerifyWalletToken(deps: WalletTokenDeps): VerifyWalletToken {
  return async (token, audience) => {
    const { jws, claims } = readToken(deps, token, audience);
    const points = (await deps.findOwnPoints?.(claims.ename)) ?? (await findCertifiedPoints(deps, claims.ename));
    for (const point of points) {
      if (await deps.verifyEcdsa(pointToSpki(point), jws.signingInput, jws.signature)) return claims;
    }
    const message = "The wallet token is not signed by a key in force of its eName; sign it with a current key.";
    throw deps.refuse("INVALID_TOKEN", message);
  };
}

function readToken(
  { clock, refuse }: WalletTokenDeps,
  token: string | CompactJws,
  audience: string,
): { readonly jws: CompactJws; readonly claims: WalletClaims } {
  try {
    const jws = typeof token === "string" ? parseCompactJws(token) : token;
    return { jws, claims: validateWalletClaims(jws, { audience, nowSeconds: clock.nowMs() / 1000 }) };
  } catch (error) {
    throw error instanceof ProtocolError ? refuse("INVALID_TOKEN", error.message) : error;
  }
}

async function findCertifiedPoints(
  { findCertifiedKeys, log, refuse }: WalletTokenDeps,
  ename: EName,
): Promise<readonly Uint8Array[]> {
  try {
    return (await findCertifiedKeys(ename)).map(({ point }) => point);
  } catch (error) {
    if (isUnknownEName(error)) {
      throw refuse("INVALID_TOKEN", "The eName of the wallet token has no known vault, so its keys are unknown.");
    }
    // Which of them does not answer, and whether its address was contacted at all, is for the log only.
    log.warn({ err: error, ename }, "the certified keys of an eName are not available");
    throw refuse(
      "REGISTRY_UNAVAILABLE",
      "The registry or the vault of the token's eName does not answer, so its keys are not available now; try again.",
    );
  }
}
