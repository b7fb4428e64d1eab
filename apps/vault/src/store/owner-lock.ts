import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";

/** Distinguishes these locks from others in the same database. */
const LOCK_KIND = 1_400_001;

/** An SQL expression: whether the transaction holds the lock. */
export const HOLDS_OWNER_LOCK = "current_setting('vault.owner_locked', true) = 'on'";

/**
 * Serialises, in all processes, transactions that write for an owner at length or that must know the owner's total.
 * Ordinary writes neither take nor wait for the lock. It is held until the transaction ends.
 */
export async function lockOwner(transaction: Queryable, owner: EName): Promise<void> {
  await transaction.query({
    name: "owner:lock",
    text: `select pg_advisory_xact_lock($1::int, hashtext($2)), set_config('vault.owner_locked', 'on', true)`,
    values: [LOCK_KIND, owner],
  });
}

/** Runs work in a transaction that holds the owner's lock from its start. Refuses: as `work` does. */
export type UnderOwnerLock = <T>(owner: EName, work: (transaction: Queryable) => Promise<T>) => Promise<T>;

/**
 * Makes transactions under the owner's lock. Those of one owner wait in this process, and one connection waits in the
 * database.
 */
export function createUnderOwnerLock(database: Database): UnderOwnerLock {
  const inTurn = createInTurn();
  return (owner, work) =>
    inTurn(owner, () =>
      database.transaction(async (transaction) => {
        await lockOwner(transaction, owner);
        return work(transaction);
      }),
    );
}
