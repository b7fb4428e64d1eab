import type { Queryable } from "@dataspace/service-kit/database";

/** Deletes spent tokens that expired before a time (ISO 8601), at most so many. Out: how many. */
export async function deleteExpiredTokens(database: Queryable, before: string, atMost: number): Promise<number> {
  const { rowCount } = await database.query({
    name: "tokens:expire",
    text: `delete from spent_token where (owner, token) in (
      select owner, token from spent_token where expires_at < $1::timestamptz
       order by expires_at limit $2::int for update skip locked)`,
    values: [before, atMost],
  });
  return rowCount;
}
