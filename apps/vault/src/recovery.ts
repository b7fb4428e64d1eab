import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { issueRecoveryCode } from "./keys/recovery-codes.ts";
import { findVault } from "./store/vault-rows.ts";

/**
 * Issues a recovery code for an owner who has a vault here, for the operator's command line.
 *
 * Out: the code, shown only now; undefined when the eName has no vault here. Source: decision I6.
 */
export async function issueOwnerRecovery(
  deps: { readonly database: Queryable; readonly clock: Clock },
  owner: EName,
): Promise<string | undefined> {
  const vault = await findVault(deps.database, owner);
  return vault && (await issueRecoveryCode(deps, owner));
}
