import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { parseSignedOwnerPolicy } from "@dataspace/protocol/signed-owner-policy";
import { signAccessPolicy } from "@dataspace/wallet/sign-access-policy";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import { createRecord, listRecords } from "../vault/records.ts";
import type { VaultConnection } from "../vault/vault-connection.ts";

/** One domain that a platform used with one certificate on one day. */
export interface AccessEntry {
  readonly id: string;
  readonly platform: string;
  readonly deployment: string;
  readonly version: string;
  readonly level: string;
  readonly issuer: string;
  readonly certificateId: string;
  readonly domain: string;
  readonly action: string;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** Lists which platforms had access, newest first. Refuses: as `VaultConnection`. Source: decision A2. */
export async function listAccess(
  vault: VaultConnection,
  cursor?: string,
): Promise<{ readonly entries: readonly AccessEntry[]; readonly nextCursor: string | null }> {
  const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  const { entries = [], nextCursor = null } = ((await vault.get(`/platform-access?limit=20${query}`)) ?? {}) as {
    readonly entries?: readonly AccessEntry[];
    readonly nextCursor?: string | null;
  };
  return { entries, nextCursor };
}

/** Reads the owner's terms that are in force: those of the newest policy, or the defaults. Refuses: as `VaultConnection`. */
export async function readTerms(
  vault: VaultConnection,
): Promise<{ readonly terms: OwnerPolicyTerms; readonly issuedAt: string | undefined }> {
  // The vault takes only policies that are newer than the one in force, so the last one counts.
  const { items } = await listRecords(vault, { ontology: ACCESS_POLICY_ONTOLOGY });
  const newest = items[0];
  if (newest === undefined) return { terms: DEFAULT_OWNER_TERMS, issuedAt: undefined };
  const { statement } = await parseSignedOwnerPolicy(newest.parsed);
  const { minimumLevel, reputationEngine, minimumReputation, allowedDomains, deniedDomains, issuedAt } = statement;
  return { terms: { minimumLevel, reputationEngine, minimumReputation, allowedDomains, deniedDomains }, issuedAt };
}

/** Signs the owner's terms and puts them into force. Refuses: INVALID_DOCUMENT; as `VaultConnection`. Source: decision A2. */
export async function writeTerms(vault: VaultConnection, key: WalletKey, terms: OwnerPolicyTerms): Promise<void> {
  const clock = { nowMs: () => Date.now() };
  const policy = await signAccessPolicy(terms, { ename: vault.ename, key, clock });
  await createRecord(vault, { ontology: ACCESS_POLICY_ONTOLOGY, payload: policy, acl: [] });
}
