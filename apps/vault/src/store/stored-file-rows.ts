import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { BlobPlace } from "../files/blob-store.ts";

/** A file: its blob, its length, and the id of its MetaEnvelope. */
export interface StoredFile extends BlobPlace {
  readonly recordId: string;
  readonly sizeBytes: number;
}

const RESERVE = `with counted as (
  insert into file_usage (owner, used_bytes, guest_bytes)
  values ($1, case when $6::boolean then 0 else $4::bigint end, case when $6 then $4 else 0 end)
  on conflict (owner) do update
     set used_bytes = file_usage.used_bytes + excluded.used_bytes, guest_bytes = file_usage.guest_bytes + excluded.guest_bytes)
insert into stored_file (owner, blob_key, record_id, size_bytes, state, created_at, guest)
values ($1, $2, $3, $4, 'pending', $5::timestamptz, $6)`;

/**
 * Reserves a file that is about to be written, and counts its bytes, in one statement.
 *
 * In: `at` in ISO 8601; `guest`: they count against the quota of guests. Source: decision V21.
 */
export async function reserveFile(
  database: Queryable,
  file: StoredFile,
  { at, guest }: { readonly at: string; readonly guest: boolean },
): Promise<void> {
  const values = [file.owner, file.blobKey, file.recordId, file.sizeBytes, at, guest];
  await database.query({ name: "file:reserve", text: RESERVE, values });
}

const KEEP = "update stored_file set state = 'kept' where owner = $1 and blob_key = $2 and state = 'pending'";

/**
 * Marks a reserved file as used, in the transaction that writes its MetaEnvelope, so that both exist or neither. From
 * then on nothing condemns it. Out: false when it was condemned meanwhile; the MetaEnvelope must then not be written.
 */
export async function keepFile(transaction: Queryable, { owner, blobKey }: BlobPlace): Promise<boolean> {
  return (await transaction.query({ name: "file:keep", text: KEEP, values: [owner, blobKey] })).rowCount === 1;
}

const CONDEMN = "update stored_file set state = 'condemned' where owner = $1 and blob_key = $2 and state <> 'kept'";

/**
 * Condemns an unused file. It waits for a transaction that is using it, so it cannot overtake one whose answer was
 * lost. Out: whether its blob may be deleted now.
 */
export async function condemnFile(database: Queryable, { owner, blobKey }: BlobPlace): Promise<boolean> {
  return (await database.query({ name: "file:condemn", text: CONDEMN, values: [owner, blobKey] })).rowCount === 1;
}

const FORGET = `with gone as (
  delete from stored_file where owner = $1 and blob_key = $2 and state = 'condemned' returning size_bytes, guest)
update file_usage
   set used_bytes = used_bytes - case when gone.guest then 0 else gone.size_bytes end,
       guest_bytes = guest_bytes - case when gone.guest then gone.size_bytes else 0 end
  from gone where owner = $1`;

/** Deletes the row of a condemned file whose blob is deleted, and releases its bytes. */
export async function forgetFile(database: Queryable, { owner, blobKey }: BlobPlace): Promise<void> {
  await database.query({ name: "file:forget", text: FORGET, values: [owner, blobKey] });
}

const LIST_ABANDONED = `select owner, blob_key as "blobKey" from stored_file
 where state <> 'kept' and created_at < $1::timestamptz order by created_at limit $2::int`;

/** Lists files of all owners that were reserved before a time and never used, oldest first. */
export async function listAbandonedFiles(
  database: Queryable,
  before: string,
  rowLimit: number,
): Promise<readonly BlobPlace[]> {
  const statement = { name: "file:abandoned", text: LIST_ABANDONED, values: [before, rowLimit] };
  return (await database.query<BlobPlace>(statement)).rows;
}

const FIND = `select owner, blob_key as "blobKey", record_id as "recordId", size_bytes as "sizeBytes" from stored_file
 where owner = $1 and state = 'kept'`;

/** Finds the file of a MetaEnvelope. */
export async function findFileOfRecord(
  database: Queryable,
  owner: EName,
  recordId: string,
): Promise<StoredFile | undefined> {
  const statement = { name: "file:of-record", text: `${FIND} and record_id = $2`, values: [owner, recordId] };
  return (await database.query<StoredFile>(statement)).rows[0];
}

/** Finds the file that a blob belongs to. */
export async function findFileOfBlob(
  database: Queryable,
  { owner, blobKey }: BlobPlace,
): Promise<StoredFile | undefined> {
  const statement = { name: "file:of-blob", text: `${FIND} and blob_key = $2`, values: [owner, blobKey] };
  return (await database.query<StoredFile>(statement)).rows[0];
}

/** Finds the sizes of an owner's files in bytes, by blob key; files that are not there are left out. */
export async function listFileSizes(
  database: Queryable,
  owner: EName,
  blobKeys: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await database.query<{ key: string; size: number }>({
    text: `select blob_key as key, size_bytes::int as size from stored_file where owner = $1 and blob_key = any ($2::text[])`,
    values: [owner, blobKeys],
  });
  return new Map(rows.map(({ key, size }) => [key, size]));
}
