import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
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
const ES256 = { name: "ECDSA", hash: "SHA-256" };

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
  request: ProofRequest,
): Promise<string> {
  const publicJwk = (await crypto.subtle.exportKey("jwk", key.publicKey)) as { x: string; y: string };
  const sign = async (data: Uint8Array) =>
    new Uint8Array(await crypto.subtle.sign(ES256, key.privateKey, data.slice()));
  const input = { ...request, jti: crypto.randomUUID(), nowSeconds: clock.nowMs() / 1_000 };
  return writeDpopProof({ publicJwk, sign }, input);
}
