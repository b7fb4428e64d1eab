import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The SQLSTATEs of writes to a vault that is leaving; the error's message is the new place, empty where there is none. */
export const LEAVING_SQLSTATES = { readOnly: "DSV01", moved: "DSV02" } as const;

/** Where a vault stands; the states are described beside the column in the migration. */
export type VaultState = "importing" | "arrived" | "active" | "moving" | "moved";

/** A vault's state, and the place that it moves or has moved to. */
export interface StandingVault {
  readonly owner: EName;
  readonly vaultId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly state: VaultState;
  readonly movedTo: string | null;
  /** The move under way, or the one that ended; null where there is none. */
  readonly moveId: string | null;
}

const FIND = `select owner, vault_id as "vaultId", to_json(created_at at time zone 'UTC') #>> '{}' || 'Z' as "createdAt", state,
  moved_to as "movedTo", move_id as "moveId" from vault where owner = $1`;

/** Finds a vault in any state. */
export async function findStandingVault(database: Queryable, owner: EName): Promise<StandingVault | undefined> {
  return (await database.query<StandingVault>({ name: "vault:standing", text: FIND, values: [owner] })).rows[0];
}

/** Finds a vault in any state and locks its row until the transaction ends. */
export async function lockStandingVault(transaction: Queryable, owner: EName): Promise<StandingVault | undefined> {
  return (await transaction.query<StandingVault>({ text: `${FIND} for update`, values: [owner] })).rows[0];
}

/** Changes a vault's state, under its row's lock. */
export async function setVaultState(
  transaction: Queryable,
  owner: EName,
  { state, movedTo, moveId }: Pick<StandingVault, "state" | "movedTo" | "moveId">,
): Promise<void> {
  const text = "update vault set state = $2, moved_to = $3, move_id = $4::uuid where owner = $1";
  await transaction.query({ text, values: [owner, state, movedTo, moveId] });
}

/** Waits for the writes of an owner that are under way, and holds back further ones until the transaction ends. */
export async function holdBackWrites(transaction: Queryable, owner: EName): Promise<void> {
  await transaction.query({ text: "select pg_advisory_xact_lock(1400002, hashtext($1))", values: [owner] });
}

/** Deletes the outbox of an owner, whose events have moved. */
export async function deleteOutbox(transaction: Queryable, owner: EName): Promise<void> {
  await transaction.query({ text: "delete from outbox_lane where owner = $1", values: [owner] });
  await transaction.query({ text: "delete from change_event where owner = $1", values: [owner] });
}

/** Makes the events of an imported vault due. In: ISO 8601. */
export async function openOutbox(transaction: Queryable, owner: EName, at: string): Promise<void> {
  await transaction.query({
    text: `insert into outbox_lane (owner, stream_id, tail_version, done_version, next_at)
      select owner, stream_id, max(stream_version), min(stream_version) - 1, $2::timestamptz
        from change_event where owner = $1 group by owner, stream_id on conflict do nothing`,
    values: [owner, at],
  });
}

/** Lists vaults that are moving or have just arrived, by their owners after one. */
export async function listUnsettled(
  database: Queryable,
  { after, atMost }: { readonly after: string; readonly atMost: number },
): Promise<readonly Pick<StandingVault, "owner" | "state" | "movedTo">[]> {
  const text = `select owner, state, moved_to as "movedTo" from vault where state in ('moving', 'arrived') and owner > $1
    order by owner limit $2::int`;
  return (await database.query<StandingVault>({ text, values: [after, atMost] })).rows;
}
