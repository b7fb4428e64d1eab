import type { EName } from "@dataspace/protocol/ename";

/** Where statements run; a database of the service kit fits. */
export interface SignInDatabase {
  readonly query: <Row>(statement: {
    readonly text: string;
    readonly values: readonly unknown[];
  }) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number }>;
}

/**
 * A service's table of sign-ins. Services may share a database, so each has a table of its own name. The name is written into SQL
 * unchanged, so it must come from code. The service deletes its expired rows.
 */
export interface SignInTable {
  readonly database: SignInDatabase;
  readonly table: string;
}

/** The most sign-ins that are open at once. Source: decision L12. */
const MOST_OPEN = 12_000;

/**
 * Opens a sign-in, while fewer than 12,000 are open. In: times in ISO 8601. Out: whether there was room; requests at the same moment
 * may exceed the limit by their number. Source: decision L12.
 */
export async function addSignIn(
  { database, table }: SignInTable,
  { session, at, expiresAt }: Readonly<Record<"session" | "at" | "expiresAt", string>>,
): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `insert into ${table} (session, expires_at) select $1, $2::timestamptz
            where (select count(*) from (select from ${table} where expires_at > $3::timestamptz limit $4) as open) < $4`,
    values: [session, expiresAt, at, MOST_OPEN],
  });
  return rowCount === 1;
}

/** Finds how far a sign-in is. Out: undefined if it is over or taken. */
export async function findSignIn(
  { database, table }: SignInTable,
  session: string,
  at: string,
): Promise<"pending" | "signed" | undefined> {
  const { rows } = await database.query<{ readonly state: "pending" | "signed" }>({
    text: `select case when ename is null then 'pending' else 'signed' end as state
             from ${table} where session = $1 and expires_at > $2::timestamptz`,
    values: [session, at],
  });
  return rows[0]?.state;
}

/** Notes whose wallet signed a sign-in. Out: whether it was open and signed by nobody before. */
export async function noteSigner(
  { database, table }: SignInTable,
  { session, ename, at }: { readonly session: string; readonly ename: EName; readonly at: string },
): Promise<boolean> {
  const { rowCount } = await database.query({
    text: `update ${table} set ename = $2 where session = $1 and ename is null and expires_at > $3::timestamptz`,
    values: [session, ename, at],
  });
  return rowCount === 1;
}

/** Takes a sign-in that was signed, which can be done once. Out: whose wallet signed it. */
export async function takeSignIn(
  { database, table }: SignInTable,
  session: string,
  at: string,
): Promise<EName | undefined> {
  const { rows } = await database.query<{ ename: EName }>({
    text: `delete from ${table} where session = $1 and ename is not null and expires_at > $2::timestamptz returning ename`,
    values: [session, at],
  });
  return rows[0]?.ename;
}
