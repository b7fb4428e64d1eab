import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import { platformClock } from "./client-clock.ts";
import type { Credential } from "./credential.ts";
import { createTokenCache } from "./token-cache.ts";

/** A person's eName and the key that signs for it. `keyId` is absent for the default key. */
export interface WalletSigner {
  readonly ename: EName;
  readonly key: Pick<WalletKey, "sign">;
  readonly keyId?: string;
}

const LIFETIME_SECONDS = 300;
const RENEW_BEFORE_MS = 60_000;

/**
 * Makes the credential of a person's wallet. A request that writes gets a token of its own, since a wallet token serves only one;
 * requests that read share one token for each vault.
 *
 * Refuses: its headers reject with a WalletError when the key does not sign. Source: decision I4.
 */
export function createWalletCredential(
  { ename, key, keyId }: WalletSigner,
  clock: { readonly nowMs: () => number } = platformClock,
): Credential {
  const issue = (audience: EName): Promise<string> =>
    issueWalletToken(
      { key, clock },
      { ename, audience, lifetimeSeconds: LIFETIME_SECONDS, ...(keyId === undefined ? {} : { keyId }) },
    );
  const readTokens = createTokenCache(clock, { renewBeforeMs: RENEW_BEFORE_MS });
  const issueForReads = async (owner: EName) => {
    const expiresAtMs = clock.nowMs() + LIFETIME_SECONDS * 1_000;
    return { token: await issue(owner), expiresAtMs };
  };
  return {
    headersFor: async ({ owner, isWrite }) => {
      const token = await (isWrite ? issue(owner) : readTokens.get(owner, () => issueForReads(owner)));
      return { authorization: `Bearer ${token}` };
    },
    forget: (owner, { authorization = "" }) => readTokens.forget(owner, authorization.slice("Bearer ".length)),
  };
}
