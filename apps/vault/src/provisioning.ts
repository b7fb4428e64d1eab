import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { createVault } from "./store/vault-rows.ts";

/** A new owner from the provisioner: the key's point is 65 bytes, `nowMs` is the time of provisioning. */
export interface ProvisionedOwner {
  readonly owner: EName;
  readonly vaultId: string;
  readonly publicKey?: { readonly text: string; readonly point: Uint8Array };
  readonly nowMs: number;
}

/**
 * Writes a new owner, for a provisioner on the same database.
 *
 * Refuses: never by itself; the primary key allows one vault per eName. Source: decisions P5, V17.
 */
export async function createProvisionedVault(transaction: Queryable, vault: ProvisionedOwner): Promise<void> {
  const { owner, vaultId, publicKey, nowMs } = vault;
  const key = publicKey && { text: publicKey.text, point: Buffer.from(publicKey.point).toString("hex") };
  await createVault(transaction, { owner, vaultId, publicKey: key, at: new Date(nowMs).toISOString() });
}
