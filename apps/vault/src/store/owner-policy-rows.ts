import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** An owner's access policy to put into force. `issuedAt` is ISO 8601; `policyText` the signed policy as JSON. */
export interface OwnerPolicyRow {
  readonly owner: EName;
  readonly issuedAt: string;
  readonly recordId: string;
  readonly policyText: string;
}

/** Finds the text of the policy in force; undefined where the owner has signed none. Source: decision A2. */
export async function findOwnerPolicy(database: Queryable, owner: EName): Promise<string | undefined> {
  const { rows } = await database.query<{ policy: string }>({
    name: "owner-policy",
    text: "select policy from owner_policy where owner = $1",
    values: [owner],
  });
  return rows[0]?.policy;
}

/**
 * Puts a policy into force, unless one that was issued at the same time or later is.
 *
 * Out: whether it is in force now. Source: decision A1 (protected against rollback).
 */
export async function raiseOwnerPolicy(
  transaction: Queryable,
  { owner, issuedAt, recordId, policyText }: OwnerPolicyRow,
): Promise<boolean> {
  const raised = await transaction.query({
    name: "owner-policy:raise",
    text: `insert into owner_policy (owner, issued_at, record_id, policy) values ($1, $2::timestamptz, $3, $4)
  on conflict (owner) do update
     set issued_at = excluded.issued_at, record_id = excluded.record_id, policy = excluded.policy
   where owner_policy.issued_at < excluded.issued_at`,
    values: [owner, issuedAt, recordId, policyText],
  });
  return raised.rowCount === 1;
}
