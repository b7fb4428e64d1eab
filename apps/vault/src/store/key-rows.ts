import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { LEAVING_SQLSTATES, lockStandingVault } from "./vault-state-rows.ts";

/** A key in force: its text as given and certified, and its uncompressed point in hex. */
export interface OwnerKey {
  readonly publicKey: string;
  readonly point: string;
}

/** Lists an owner's keys in force, oldest first. Source: S1 "Key keys"; decision I6. */
export async function listKeysInForce(database: Queryable, owner: EName): Promise<readonly OwnerKey[]> {
  const found = await database.query<OwnerKey>({
    name: "keys-in-force",
    text: `select public_key as "publicKey", point from owner_key where owner = $1 and removed_at is null order by added_at`,
    values: [owner],
  });
  return found.rows;
}

/** A key to add. `addedBy` is the right that authorised it; `at` is ISO 8601. */
export interface KeyToAdd extends OwnerKey {
  readonly owner: EName;
  readonly keyId: string;
  readonly addedBy: string;
  readonly at: string;
}

/** Adds a key to an owner's key log. Refuses: never; a point already in force leaves the log unchanged. */
export async function insertKey(transaction: Queryable, key: KeyToAdd): Promise<void> {
  await transaction.query({
    text: `insert into owner_key (owner, key_id, public_key, point, added_at, added_by)
      values ($1, $2, $3, $4, $5::timestamptz, $6) on conflict do nothing`,
    values: [key.owner, key.keyId, key.publicKey, key.point, key.at, key.addedBy],
  });
}

/** A key to take out of force. `at` is ISO 8601. */
export interface KeyToRetire {
  readonly owner: EName;
  readonly point: string;
  readonly removedBy: string;
  readonly at: string;
}

/** Takes a key out of force; it stays in the log. */
export async function retireKey(transaction: Queryable, { owner, point, removedBy, at }: KeyToRetire): Promise<void> {
  await transaction.query({
    text: `update owner_key set removed_at = $3::timestamptz, removed_by = $4
      where owner = $1 and point = $2 and removed_at is null`,
    values: [owner, point, at, removedBy],
  });
}

/**
 * Locks a vault's row until the transaction ends, so that its key log changes in one order. Refuses: as a write does, with
 * `LEAVING_SQLSTATES`, for a vault that is leaving.
 */
export async function lockKeyLog(transaction: Queryable, owner: EName): Promise<void> {
  const vault = await lockStandingVault(transaction, owner);
  if (vault === undefined || vault.state === "active" || vault.state === "importing") return;
  const code = vault.state === "moved" ? LEAVING_SQLSTATES.moved : LEAVING_SQLSTATES.readOnly;
  throw Object.assign(new Error(vault.movedTo ?? ""), { code });
}

/** Spends a wallet token within a transaction. Out: false when it was already spent. Source: decision I6. */
export async function spendToken(
  transaction: Queryable,
  spent: { readonly owner: EName; readonly token: string; readonly expiresAt: string },
): Promise<boolean> {
  const written = await transaction.query({
    text: `insert into spent_token (owner, token, expires_at) values ($1, $2, $3::timestamptz) on conflict do nothing`,
    values: [spent.owner, spent.token, spent.expiresAt],
  });
  return written.rowCount === 1;
}
