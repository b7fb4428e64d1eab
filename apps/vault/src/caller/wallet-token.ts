import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { validateWalletClaims, type WalletClaims } from "@dataspace/protocol/wallet-token";
import { LRUCache } from "lru-cache";
import type { CompactJws } from "@dataspace/protocol/compact-jws";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { OwnerKey } from "../store/key-rows.ts";
import { invalidToken } from "./bearer-token.ts";

/** Verifies a wallet token sent to a vault. Refuses: INVALID_TOKEN. */
export type VerifyWalletToken = (jws: CompactJws, audience: EName) => Promise<WalletClaims>;

/** `listKeys` gives the keys in force of an eName, at this moment. */
export interface WalletTokenDeps {
  readonly clock: Clock;
  readonly listKeys: (ename: EName) => Promise<readonly OwnerKey[]>;
}

const CACHED_KEYS = 10_000;

/**
 * Makes the verifier of wallet tokens: the claims must fit this vault, and any key in force of the token's eName may have
 * signed it. The key log is asked at each request, so a removed key stops at once.
 *
 * Source: decisions I4, I6; RFC 7515.
 */
export function createVerifyWalletToken({ clock, listKeys }: WalletTokenDeps): VerifyWalletToken {
  const imported = new LRUCache<string, KeyObject>({ max: CACHED_KEYS });
  function keyOf(point: string): KeyObject {
    const known = imported.get(point);
    if (known !== undefined) return known;
    const spki = Buffer.from(pointToSpki(Buffer.from(point, "hex")));
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    imported.set(point, key);
    return key;
  }
  return async (jws, audience) => {
    const claims = readClaims(jws, audience, clock);
    const keys = await listKeys(claims.ename);
    const signed = keys.some(({ point }) =>
      verify("sha256", jws.signingInput, { key: keyOf(point), dsaEncoding: "ieee-p1363" }, jws.signature),
    );
    if (signed) return claims;
    throw invalidToken("The wallet token is not signed by a key in force of its eName; sign it with a current key.");
  };
}

function readClaims(jws: CompactJws, audience: EName, clock: Clock): WalletClaims {
  try {
    return validateWalletClaims(jws, { audience, nowSeconds: clock.nowMs() / 1000 });
  } catch (error) {
    throw invalidToken((error as Error).message);
  }
}
