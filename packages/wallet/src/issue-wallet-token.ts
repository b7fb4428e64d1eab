import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { WALLET_TOKEN_TYP } from "@dataspace/protocol/wallet-token";
import { SignJWT } from "jose";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "./wallet-key.ts";

/** What a token is to say. The lifetime is 300 s unless told, and 600 s at most. */
export interface WalletTokenInput {
  readonly ename: EName;
  /** The eName of the vault's owner, or the origin of another service. */
  readonly audience: string;
  readonly keyId?: string;
  readonly lifetimeSeconds?: number;
}

/**
 * Issues the bearer token with which a person speaks to one vault.
 *
 * In: the key that signs and a clock (`nowMs`, milliseconds since the epoch). Out: a compact JWS.
 * Refuses: INVALID_TOKEN for a lifetime that is not 1 to 600 whole seconds, which every verifier would refuse.
 * Source: decision I4.
 */
export async function issueWalletToken(
  deps: { readonly key: WalletKey; readonly clock: { readonly nowMs: () => number } },
  input: WalletTokenInput,
): Promise<string> {
  const lifetimeSeconds = input.lifetimeSeconds ?? 300;
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > 600) {
    throw new ProtocolError("INVALID_TOKEN", "A wallet token lives 1 to 600 whole seconds. Ask for less.");
  }
  const issuedAtSeconds = Math.floor(deps.clock.nowMs() / 1000);
  const kid = input.keyId === undefined ? input.ename : `${input.ename}#${input.keyId}`;
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: "ES256", typ: WALLET_TOKEN_TYP, kid })
    .setIssuer(input.ename)
    .setSubject(input.ename)
    .setAudience(input.audience)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + lifetimeSeconds)
    .sign(deps.key.privateKey);
}
