import { UpstreamError } from "@dataspace/clients/upstream-error";
import { validateWalletClaims, type WalletClaims } from "@dataspace/protocol/wallet-token";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { CompactJws } from "@dataspace/protocol/compact-jws";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Refusal } from "@dataspace/service-kit/refusal";
import { refusal } from "../errors.ts";
import type { OwnerKey } from "../store/key-rows.ts";
import { invalidToken } from "./bearer-token.ts";
import type { VerifyEcdsa } from "./verify-ecdsa.ts";

/** Verifies a wallet token sent to a vault. Refuses: INVALID_TOKEN; REGISTRY_UNAVAILABLE when its eName's keys cannot be had. */
export type VerifyWalletToken = (jws: CompactJws, audience: EName) => Promise<WalletClaims>;

/**
 * `findVault` tells whether an eName has its vault here, `listKeys` gives the keys in force of one that has, at this moment, and
 * `findCertifiedKeys` those of anybody else.
 */
export interface WalletTokenDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly findVault: (ename: EName) => Promise<unknown>;
  readonly listKeys: (ename: EName) => Promise<readonly OwnerKey[]>;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly verifyEcdsa: VerifyEcdsa;
}

/**
 * Makes the verifier of wallet tokens: the claims must fit this vault, and any key in force of the token's eName may have
 * signed it. For an eName with its vault here the key log is asked at each request, so a removed key stops at once; another's
 * certified keys are found by way of the registry and kept at most 300 s.
 *
 * Source: decisions I4, I6, V2; RFC 7515.
 */
export function createVerifyWalletToken(deps: WalletTokenDeps): VerifyWalletToken {
  return async (jws, audience) => {
    const claims = readClaims(jws, audience, deps.clock);
    const points = await listPoints(deps, claims.ename);
    if (points.some((point) => deps.verifyEcdsa(point, jws.signingInput, jws.signature))) return claims;
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

async function listPoints(deps: WalletTokenDeps, ename: EName): Promise<readonly Uint8Array[]> {
  const vault = await deps.findVault(ename);
  if (vault !== undefined) return (await deps.listKeys(ename)).map(({ point }) => Buffer.from(point, "hex"));
  try {
    return (await deps.findCertifiedKeys(ename)).map(({ point }) => point);
  } catch (error) {
    throw toRefusal(error, ename, deps.log);
  }
}

// Which of them does not answer, or whether its address was asked at all, is for the log alone.
function toRefusal(error: unknown, ename: EName, log: Log): Refusal {
  if (error instanceof UpstreamError && error.refusal?.status === 404) {
    return invalidToken("The eName of the wallet token has no vault that is known, so none of its keys is.");
  }
  log.warn({ err: error, ename }, "the certified keys of another eName cannot be had");
  return refusal(
    "REGISTRY_UNAVAILABLE",
    "The registry or the vault of the token's eName does not answer, so its keys are not known now; try again.",
  );
}
