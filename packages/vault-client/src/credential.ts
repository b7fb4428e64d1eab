import type { EName } from "@dataspace/protocol/ename";
import { VaultError } from "./vault-error.ts";

/** The request for which a credential is asked. */
export interface CredentialRequest {
  /** Whose vault is addressed. */
  readonly owner: EName;
  /** The vault's base address. */
  readonly vaultUrl: string;
  readonly method: string;
  readonly url: string;
  /** Whether it writes: a wallet token serves one request that writes. */
  readonly isWrite: boolean;
}

/** Headers that prove who asks. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Who asks a vault. It is called once for every attempt of a request. */
export interface Credential {
  readonly headersFor: (request: CredentialRequest) => Promise<CredentialHeaders>;
  /**
   * Forgets headers that a vault refused with 401, so that the next attempt gets others. Without this function a 401 is final.
   * `refused` is what `headersFor` gave: newer headers are not forgotten.
   */
  readonly forget?: (owner: EName, refused: CredentialHeaders) => void;
}

const BEARER_TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Makes a credential of a bearer token that the caller looks after.
 *
 * Refuses: CREDENTIAL_UNAVAILABLE for a text that no Authorization header can carry. Source: S1 "Authentication"; RFC 6750 section 2.1.
 */
export function createBearerCredential(token: string): Credential {
  if (!BEARER_TOKEN.test(token)) throw new VaultError("CREDENTIAL_UNAVAILABLE", "This text is not a bearer token.");
  return { headersFor: async () => ({ authorization: `Bearer ${token}` }) };
}
