import { createSessionCredential, type PlatformSession } from "@dataspace/vault-client/session-credential";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import type { EName } from "@dataspace/protocol/ename";
import type { VaultClient } from "@dataspace/vault-client/vault-client";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { DeploymentError } from "./deployment-error.ts";
import { performHandshake } from "./handshake.ts";

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;
const SHORTEST_MS = 30_000;

/**
 * Opens an owner's vault as this deployment: with the stored session while it holds, then with new handshakes.
 *
 * Out: a client whose requests carry DPoP proofs.
 * Refuses: STEP_MISSING; its calls reject with a VaultError, or CHAIN_BROKEN with the link that does not hold. Source: decision A1.
 */
export async function openVault(deps: DeploymentDeps, owner: EName): Promise<VaultClient> {
  const { registryUrl } = await deps.state.get("settings");
  const key = await toKeyPair(await deps.state.get("key"));
  const openSession = createOpenSession(deps);
  const credential = createSessionCredential({ key, openSession });
  return createVaultClients({ registryUrl, credential }, { fetch: deps.fetch }).vault(owner);
}

function createOpenSession(deps: DeploymentDeps) {
  // A stored session is used once: when it is asked for again, the vault has refused it or it has ended.
  const used = new Set<string>();
  return async (vault: { readonly owner: EName; readonly vaultUrl: string }): Promise<PlatformSession> => {
    const stored = await deps.state.findSession(vault.owner);
    const leftMs = stored === undefined ? 0 : Date.parse(stored.expiresAt) - deps.clock.nowMs();
    if (stored !== undefined && leftMs > SHORTEST_MS && !used.has(stored.accessToken)) {
      used.add(stored.accessToken);
      return { access_token: stored.accessToken, token_type: stored.tokenType, expires_in: leftMs / 1_000 };
    }
    const { session, links, failedAt } = await performHandshake(deps, vault);
    if (session !== undefined) {
      used.add(session.access_token);
      return session;
    }
    const broken = links.find(({ id }) => id === failedAt);
    const why = broken === undefined ? "" : ` ${broken.id} (${broken.code}): ${broken.detail}`;
    throw new DeploymentError("CHAIN_BROKEN", `The vault gave no session.${why}`);
  };
}

async function toKeyPair({ kty, crv, x, y, d }: PrivateJwk) {
  const privateKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, P256, false, ["sign"]);
  const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, P256, true, ["verify"]);
  return { privateKey, publicKey };
}
