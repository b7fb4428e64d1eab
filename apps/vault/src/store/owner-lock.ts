import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Tells these locks from others in the same database. */
const LOCK_KIND = 1_400_001;

/**
 * Lets transactions that write for an owner at length, or that must know the owner's total, run one after the other, in all
 * processes. Ordinary writes neither take nor wait for it. It is held until the transaction ends.
 */
export async function lockOwner(transaction: Queryable, owner: EName): Promise<void> {
  await transaction.query({
    name: "owner:lock",
    text: "select pg_advisory_xact_lock($1::int, hashtext($2))",
    values: [LOCK_KIND, owner],
  });
}
