import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { validatePlatformClaims } from "@dataspace/protocol/platform-token";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { importJWK } from "jose";
import type { Clock } from "@dataspace/service-kit/clock";
import type { KeySet } from "@dataspace/service-kit/published-keys/key-set";

/** Finds the platform of a platform token that this registry issued and that is in force; undefined for any other text. Refuses: never. */
export type PlatformOfToken = (token: string) => Promise<string | undefined>;

/** Makes the check of this registry's own platform tokens. Source: decisions I4, I7. */
export function createPlatformOfToken({
  clock,
  keySet,
}: {
  readonly clock: Clock;
  readonly keySet: KeySet;
}): PlatformOfToken {
  return async (token) => {
    try {
      const jws = parseCompactJws(token);
      if (!(await isSignedByRegistry(keySet, jws))) return undefined;
      return validatePlatformClaims(jws.payload, { nowSeconds: clock.nowMs() / 1000 }).platform;
    } catch (error) {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    }
  };
}

/** Checks whether a published key of this registry signed a token. Refuses: never. Source: RFC 7515. */
export async function isSignedByRegistry(
  keySet: KeySet,
  { header, signingInput, signature }: CompactJws,
): Promise<boolean> {
  const jwk = keySet.read().keys.find(({ kid }) => kid === header.kid);
  if (jwk === undefined) return false;
  const key = (await importJWK({ ...jwk }, "ES256")) as CryptoKey;
  const [data, raw64] = [new Uint8Array(signingInput), new Uint8Array(signature)];
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, raw64, data);
}
