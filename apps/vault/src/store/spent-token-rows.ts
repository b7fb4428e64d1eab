import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Deletes spent tokens that expired before a time (ISO 8601), up to a number. Out: how many. */
export function deleteExpiredTokens(database: Queryable, before: string, atMost: number): Promise<number> {
  return deleteExpired(database, { table: "spent_token", before, atMost });
}
