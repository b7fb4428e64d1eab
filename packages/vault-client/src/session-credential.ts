import { encodeBase64Url } from "@dataspace/protocol/base64url";
import { exportJWK, type JWK, SignJWT } from "jose";
import type { EName } from "@dataspace/protocol/ename";
import { platformClock } from "./client-clock.ts";
import type { Credential } from "./credential.ts";
import { createTokenCache } from "./token-cache.ts";

/** A session as the vault's `/pp-auth/verify` answers it. */
export interface PlatformSession {
  readonly access_token: string;
  readonly token_type: "DPoP" | "Bearer";
  /** Seconds. */
  readonly expires_in: number;
}

/** The deployment's key and how it gets a session at one owner's vault. The private half need not be extractable. */
export interface SessionCredentialConfig {
  readonly key: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  /** Proves the deployment to the vault at `vaultUrl` and returns the session. */
  readonly openSession: (vault: { readonly owner: EName; readonly vaultUrl: string }) => Promise<PlatformSession>;
}

const RENEW_BEFORE_MS = 30_000;
const BOUND = "DPoP ";

interface ProofRequest {
  readonly method: string;
  readonly url: string;
  readonly accessToken: string;
}

/**
 * Makes the credential of a deployment that proved itself: one session for each owner, opened once at a time and renewed 30 s before its
 * end. Each attempt of a request carries a DPoP proof of its own; a session of type `Bearer` carries none.
 *
 * Refuses: its headers reject with what `openSession` refuses. Source: S3 "Platform authentication"; decision A1; RFC 9449.
 */
export function createSessionCredential(
  { key, openSession }: SessionCredentialConfig,
  clock: { readonly nowMs: () => number } = platformClock,
): Credential {
  const sessions = createTokenCache(clock, { renewBeforeMs: RENEW_BEFORE_MS });
  const open = async (vault: { readonly owner: EName; readonly vaultUrl: string }) => {
    const { token_type, access_token, expires_in } = await openSession(vault);
    return { token: `${token_type} ${access_token}`, expiresAtMs: clock.nowMs() + expires_in * 1_000 };
  };
  return {
    headersFor: async ({ owner, vaultUrl, method, url }) => {
      const authorization = await sessions.get(owner, () => open({ owner, vaultUrl }));
      if (!authorization.startsWith(BOUND)) return { authorization };
      const accessToken = authorization.slice(BOUND.length);
      return { authorization, dpop: await signProof({ key, clock }, { method, url, accessToken }) };
    },
    forget: (owner, { authorization = "" }) => sessions.forget(owner, authorization),
  };
}

async function signProof(
  { key, clock }: Pick<SessionCredentialConfig, "key"> & { readonly clock: { readonly nowMs: () => number } },
  { method, url, accessToken }: ProofRequest,
): Promise<string> {
  const { kty, crv, x, y } = await exportJWK(key.publicKey);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(accessToken));
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: url.split(/[?#]/)[0],
    iat: Math.floor(clock.nowMs() / 1_000),
    ath: encodeBase64Url(new Uint8Array(hash)),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: { kty, crv, x, y } as JWK })
    .sign(key.privateKey);
}
