import { randomBytes } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { SigningKeys } from "@dataspace/service-kit/published-keys/signing-keys";
import { createEntropyText } from "./entropy-text.ts";

/** The three kinds of token that a registry signs. The claims alone state the kind. */
export interface RegistryTokens {
  /** Fresh entropy for one eName; valid for 1 hour. */
  readonly entropy: () => Promise<string>;
  /** Certifies that a key, in exactly this spelling, belongs to an eName; valid for 1 hour. */
  readonly keyBindingCertificate: (binding: { readonly ename: EName; readonly publicKey: string }) => Promise<string>;
  /** A legacy platform token for the requested name; valid for 1 year. */
  readonly platformToken: (platform: string) => Promise<string>;
}

const HOUR_SECONDS = 3600;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/**
 * Makes the signer of the registry's tokens: JWS compact, ES256, header `alg` and `kid`, claims of the kind plus `iat` and
 * `exp` in seconds.
 *
 * Refuses: never. Source: S1 "Key binding certificate"; S3 "Registry calls used by the adapter and verifiers"; decision X2.
 */
export function createRegistryTokens(deps: { readonly clock: Clock }, keys: SigningKeys): RegistryTokens {
  const [{ kid }] = keys.published;
  const sign = (claims: JWTPayload, lifetimeSeconds: number): Promise<string> => {
    const issuedAtSeconds = Math.floor(deps.clock.nowMs() / 1000);
    return new SignJWT({ ...claims, iat: issuedAtSeconds, exp: issuedAtSeconds + lifetimeSeconds })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(keys.privateKey);
  };
  return {
    entropy: () => sign({ entropy: createEntropyText(randomBytes) }, HOUR_SECONDS),
    keyBindingCertificate: ({ ename, publicKey }) => sign({ ename, publicKey }, HOUR_SECONDS),
    platformToken: (platform) => sign({ platform }, YEAR_SECONDS),
  };
}
