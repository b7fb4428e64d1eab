import { deleteExpired } from "@dataspace/service-kit/postgres/delete-expired";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** How far an import has come: the archive's header as text, and how many entries are stored. */
export interface ImportProgress {
  readonly header: string;
  readonly position: number;
}

/** A vault to import. `createdAt` is ISO 8601; `header` is the archive's first line. */
export interface VaultToImport {
  readonly owner: EName;
  readonly vaultId: string;
  readonly createdAt: string;
  readonly header: string;
}

/**
 * Creates the vault of an import, which nobody finds yet. Out: false where the owner has a vault, also one that another
 * transaction has just created. Refuses: the database's errors; 22xxx mean that the header is malformed.
 */
export async function beginImport(transaction: Queryable, vault: VaultToImport): Promise<boolean> {
  const created = await transaction.query({
    text: `insert into vault (owner, vault_id, created_at, state) values ($1, $2, $3::timestamptz, 'importing')
      on conflict do nothing`,
    values: [vault.owner, vault.vaultId, vault.createdAt],
  });
  if (created.rowCount === 0) return false;
  await transaction.query({
    text: "insert into vault_import (owner, header) values ($1, $2)",
    values: [vault.owner, vault.header],
  });
  return true;
}

/** Finds the progress of an owner's import, locked until the transaction ends; undefined where none is under way. */
export async function lockImport(transaction: Queryable, owner: EName): Promise<ImportProgress | undefined> {
  const text = "select header, position from vault_import where owner = $1 for update";
  return (await transaction.query<ImportProgress>({ text, values: [owner] })).rows[0];
}

/** Stores how far an import has come. */
export async function advanceImport(transaction: Queryable, owner: EName, position: number): Promise<void> {
  const text = "update vault_import set position = $2 where owner = $1";
  await transaction.query({ text, values: [owner, position] });
}

/** Forgets the progress of an import that is complete. */
export async function endImport(transaction: Queryable, owner: EName): Promise<void> {
  await transaction.query({ text: "delete from vault_import where owner = $1", values: [owner] });
}

/**
 * Adds the bytes of stored rows to those of an import. `otherBytes` are of rows that no quota counts, `repeatedBytes` of
 * records and events, which repeat what versions hold. Out: the sums.
 */
export async function addImportedBytes(
  transaction: Queryable,
  owner: EName,
  added: ImportedBytes,
): Promise<ImportedBytes> {
  const { rows } = await transaction.query<ImportedBytes>({
    text: `update vault_import set other_bytes = other_bytes + $2, repeated_bytes = repeated_bytes + $3 where owner = $1
      returning other_bytes as "otherBytes", repeated_bytes as "repeatedBytes"`,
    values: [owner, added.otherBytes, added.repeatedBytes],
  });
  return rows[0] ?? added;
}

/** The bytes of an import's rows beside versions and files, which the quotas count. */
export interface ImportedBytes {
  readonly otherBytes: number;
  readonly repeatedBytes: number;
}

/** The records and bytes that an owner occupies, as the quotas count them. */
export async function readOccupied(
  transaction: Queryable,
  owner: EName,
): Promise<{ readonly records: number; readonly bytes: number }> {
  const { rows } = await transaction.query<{ records: number; bytes: number }>({
    text: `select coalesce(sum(n), 0)::bigint as records,
      (coalesce(sum(bytes + guest_bytes), 0) + coalesce((select used_bytes + guest_bytes from file_usage where owner = $1), 0))::bigint as bytes
      from record_count where owner = $1`,
    values: [owner],
  });
  return rows[0] ?? { records: 0, bytes: 0 };
}

const TABLES = [
  ...["owner_key", "change", "meta_envelope", "group_statement", "owner_policy", "change_event", "outbox_lane"],
  ...["platform_access", "idempotent_answer", "spent_token", "stored_file", "file_usage", "record_count"],
  ...["array_reader", "shared_log", "reader_level", "vault"],
];
const ROWS_AT_ONCE = 10_000;

/** Another discard may have ended, and another import begun: its rows stay. */
const IS_DISCARDED = `exists (select from vault v where v.owner = $1 and v.state = 'importing')
   and not exists (select from vault_import i where i.owner = $1)`;

/**
 * Deletes what a discarded import stored, part by part, the vault last; so a deletion that is interrupted can be repeated.
 * An import is discarded once its progress is forgotten.
 *
 * Refuses: the database's errors. Source: decision V18.
 */
export async function deleteImportedRows(database: Queryable, owner: EName): Promise<void> {
  for (const table of TABLES) {
    const text = `delete from ${table} where ctid = any (array(select ctid from ${table} where owner = $1 and ${IS_DISCARDED} limit ${ROWS_AT_ONCE}))`;
    while ((await database.query({ text, values: [owner] })).rowCount === ROWS_AT_ONCE);
  }
}

/** Stores the hash of a code that admits one owner's vault. In: ISO 8601. */
export async function insertImportCode(
  database: Queryable,
  code: { readonly owner: EName; readonly codeHash: Buffer; readonly expiresAt: string },
): Promise<void> {
  const text = "insert into import_code (owner, code_hash, expires_at) values ($1, $2, $3::timestamptz)";
  await database.query({ text, values: [code.owner, code.codeHash, code.expiresAt] });
}

/** Spends a code within the transaction that begins the import. Out: whether it was good. In: ISO 8601. */
export async function spendImportCode(
  transaction: Queryable,
  code: { readonly owner: EName; readonly codeHash: Buffer; readonly at: string },
): Promise<boolean> {
  const text = "delete from import_code where owner = $1 and code_hash = $2 and expires_at > $3::timestamptz";
  return (await transaction.query({ text, values: [code.owner, code.codeHash, code.at] })).rowCount === 1;
}

/** Deletes codes that have expired before a time (ISO 8601), up to a number. Out: how many. */
export function deleteExpiredImportCodes(database: Queryable, before: string): Promise<number> {
  return deleteExpired(database, { table: "import_code", before, atMost: CODES_AT_ONCE });
}

const CODES_AT_ONCE = 1_000;
