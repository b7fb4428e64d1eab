import { createPublicKey, verify } from "node:crypto";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { pointToSpki } from "@dataspace/protocol/public-key";
import { validateWalletClaims, type WalletClaims } from "@dataspace/protocol/wallet-token";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { CompactJws } from "@dataspace/protocol/compact-jws";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import { awarenessRefusal } from "../errors.ts";

/** Verifies a wallet token for this service, and gives what it says. */
export type VerifyWalletToken = (token: string) => Promise<WalletClaims>;

/** `audience` gives this service's origin, asked at each use, since a port may be chosen late. */
export interface WalletTokenDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly findCertifiedKeys: FindCertifiedKeys;
  readonly audience: () => string;
}

/**
 * Makes the verifier of wallet tokens sent to this service: their audience is its origin, and any key that the registry certifies
 * for their eName now may have signed them.
 *
 * Refuses: INVALID_TOKEN; REGISTRY_UNAVAILABLE when the eName's keys cannot be had. Source: decisions I4, E9.
 */
export function createVerifyWalletToken(deps: WalletTokenDeps): VerifyWalletToken {
  return async (token) => {
    const { jws, claims } = readToken(token, deps);
    const points = await listPoints(deps, claims.ename);
    if (points.some((point) => isSignedBy(point, jws))) return claims;
    throw awarenessRefusal("INVALID_TOKEN", "The wallet token is not signed by a key in force of its eName.");
  };
}

function readToken(token: string, { clock, audience }: WalletTokenDeps): { jws: CompactJws; claims: WalletClaims } {
  try {
    const jws = parseCompactJws(token);
    const expected = { audience: audience(), nowSeconds: clock.nowMs() / 1000 };
    return { jws, claims: validateWalletClaims(jws, expected) };
  } catch (error) {
    if (error instanceof ProtocolError) throw awarenessRefusal("INVALID_TOKEN", error.message);
    throw error;
  }
}

async function listPoints(deps: WalletTokenDeps, ename: EName): Promise<readonly Uint8Array[]> {
  try {
    return (await deps.findCertifiedKeys(ename)).map(({ point }) => point);
  } catch (error) {
    if (error instanceof UpstreamError && error.refusal?.status === 404) {
      throw awarenessRefusal("INVALID_TOKEN", "The eName of the wallet token has no vault that is known.");
    }
    // Which of them does not answer, or whether its address was asked at all, is for the log alone.
    deps.log.warn({ err: error, ename }, "the certified keys of an eName cannot be had");
    throw awarenessRefusal(
      "REGISTRY_UNAVAILABLE",
      "The registry or the vault of the token's eName does not answer, so its keys are not known now; try again.",
    );
  }
}

function isSignedBy(point: Uint8Array, { signingInput, signature }: CompactJws): boolean {
  const key = createPublicKey({ key: Buffer.from(pointToSpki(point)), format: "der", type: "spki" });
  return verify("sha256", signingInput, { key, dsaEncoding: "ieee-p1363" }, signature);
}
