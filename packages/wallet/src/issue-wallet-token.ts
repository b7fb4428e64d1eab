import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { WALLET_TOKEN_TYP } from "@dataspace/protocol/wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import { signBytes } from "./sign-bytes.ts";
import { WalletError } from "./wallet-error.ts";
import type { WalletKey } from "./wallet-key.ts";

/** The content of a token. The lifetime is 300 s by default, and 600 s at most. */
export interface WalletTokenInput {
  readonly ename: EName;
  /** The eName of the vault's owner, or the origin of another service. */
  readonly audience: string;
  readonly keyId?: string;
  readonly lifetimeSeconds?: number;
}

/**
 * Issues the bearer token with which a person calls one vault.
 *
 * In: the key that signs and a clock (`nowMs`, milliseconds since the epoch). Out: a compact JWS.
 * Refuses: INVALID_LIFETIME for a lifetime that is not 1 to 600 whole seconds, which every verifier would refuse;
 * KEY_FAILED.
 * Source: decision I4; RFC 7515 section 7.1.
 */
export async function issueWalletToken(
  deps: { readonly key: Pick<WalletKey, "sign">; readonly clock: { readonly nowMs: () => number } },
  input: WalletTokenInput,
): Promise<string> {
  const lifetimeSeconds = input.lifetimeSeconds ?? 300;
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > 600) {
    throw new WalletError("INVALID_LIFETIME", "A wallet token lives 1 to 600 whole seconds. Ask for less.");
  }
  const issuedAtSeconds = Math.floor(deps.clock.nowMs() / 1000);
  const kid = input.keyId === undefined ? input.ename : `${input.ename}#${input.keyId}`;
  const header = encodeJson({ alg: "ES256", typ: WALLET_TOKEN_TYP, kid });
  const claims = encodeJson({
    iss: input.ename,
    sub: input.ename,
    aud: input.audience,
    iat: issuedAtSeconds,
    exp: issuedAtSeconds + lifetimeSeconds,
    jti: crypto.randomUUID(),
  });
  const signature = await signBytes(deps.key, new TextEncoder().encode(`${header}.${claims}`));
  return `${header}.${claims}.${encodeBase64Url(signature)}`;
}

function encodeJson(value: object): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
