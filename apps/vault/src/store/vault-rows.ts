import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/**
 * The vault of an eName. `vaultId` is the instance's identifier, as in the registry. `isKeyless`: it never had a key, so
 * that nobody is its owner yet.
 *
 * Source: decisions P8, V12.
 */
export interface Vault {
  readonly owner: EName;
  readonly vaultId: string;
  readonly isKeyless: boolean;
}

/** Finds the vault of an eName in this database. */
export async function findVault(database: Queryable, owner: EName): Promise<Vault | undefined> {
  const found = await database.query<Vault>({
    name: "vault",
    text: `select owner, vault_id as "vaultId", not exists (select from owner_key k where k.owner = $1) as "isKeyless"
             from vault where owner = $1 and state in ('active', 'moving', 'arrived')`,
    values: [owner],
  });
  return found.rows[0];
}

/**
 * Checks whether an owner's vault has never had a key and was provisioned after a time, in ISO 8601. Source: decision
 * I3.
 */
export async function isNewAndKeyless(database: Queryable, owner: EName, after: string): Promise<boolean> {
  const found = await database.query({
    name: "vault:new-and-keyless",
    text: `select 1 from vault v where v.owner = $1 and v.created_at > $2::timestamptz
      and not exists (select 1 from owner_key k where k.owner = $1)`,
    values: [owner, after],
  });
  return found.rowCount === 1;
}

/** A vault to create, with its owner's first key where it has one. `at` is ISO 8601. */
export interface VaultToCreate extends Omit<Vault, "isKeyless"> {
  readonly publicKey: { readonly text: string; readonly point: string } | undefined;
  readonly at: string;
}

/**
 * Creates a vault within the provisioner's transaction.
 *
 * Refuses: never by itself; the primary key allows one vault per eName. Source: S1 "Vaults per eName"; decision V17.
 */
export async function createVault(transaction: Queryable, vault: VaultToCreate): Promise<void> {
  await transaction.query({
    text: "insert into vault (owner, vault_id, created_at) values ($1, $2, $3::timestamptz)",
    values: [vault.owner, vault.vaultId, vault.at],
  });
  if (vault.publicKey === undefined) return;
  await transaction.query({
    text: `insert into owner_key (owner, key_id, public_key, point, added_at, added_by)
      values ($1, 'default', $2, $3, $4::timestamptz, 'provisioning')`,
    values: [vault.owner, vault.publicKey.text, vault.publicKey.point, vault.at],
  });
}
