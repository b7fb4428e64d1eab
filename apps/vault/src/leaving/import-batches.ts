import { createHash } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { ArchiveError } from "../archive/archive-error.ts";
import type { ArchiveEntry, EntryKind } from "../archive/archive-format.ts";
import type { BlobStore } from "../files/blob-store.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import { payloadToSearchText } from "../meta-envelopes/search-text.ts";
import type { RowKind } from "../store/archive-reading.ts";
import { insertRows } from "../store/archive-writing.ts";
import type { ImportedBytes } from "../store/import-rows.ts";
import { listFileSizes } from "../store/stored-file-rows.ts";

/** Entries that are stored together: at most 500, and about 1 MiB unless one is longer. */
export async function* toBatches(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<readonly ArchiveEntry[]> {
  let batch: ArchiveEntry[] = [];
  let length = 0;
  for await (const entry of entries) {
    batch.push(entry);
    length += entry.row.length;
    if (batch.length < ENTRIES_AT_ONCE && length < LENGTH_AT_ONCE) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

const ENTRIES_AT_ONCE = 500;
const LENGTH_AT_ONCE = 1_048_576;

interface BlobRow {
  readonly blob_key: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly data: string;
}

/** Refuses content without a row of its file, or of another size: ARCHIVE_INVALID. */
export async function assertFilesExpected(
  transaction: Queryable,
  owner: EName,
  batch: readonly ArchiveEntry[],
): Promise<void> {
  const rowsOf = (kind: string) =>
    batch
      .filter((entry) => entry.kind === kind)
      .map(({ row }) => JSON.parse(row) as { blob_key: string; size_bytes: number });
  const blobs = rowsOf("blob");
  if (blobs.length === 0) return;
  const sizes = await listFileSizes(
    transaction,
    owner,
    blobs.map(({ blob_key: key }) => key),
  );
  for (const { blob_key: key, size_bytes: size } of rowsOf("file")) sizes.set(key, size);
  const wrong = blobs.find(({ blob_key: key, size_bytes: size }) => sizes.get(key) !== size);
  if (wrong === undefined) return;
  throw new ArchiveError(
    "ARCHIVE_INVALID",
    `The archive has content of ${wrong.blob_key}, and no such file. Export the vault again.`,
  );
}

/** The files of a batch, which are stored before its rows, outside the transaction. */
export async function storeBlobs(
  blobs: Pick<BlobStore, "put">,
  owner: EName,
  batch: readonly ArchiveEntry[],
): Promise<void> {
  for (const { row } of batch.filter(({ kind }) => kind === "blob")) {
    const { blob_key: blobKey, size_bytes: size, sha256, data } = JSON.parse(row) as BlobRow;
    const bytes = Buffer.from(data, "base64");
    if (bytes.length !== size || createHash("sha256").update(bytes).digest("hex") !== sha256) {
      throw new ArchiveError(
        "ARCHIVE_ALTERED",
        `The file ${blobKey} differs from its checksum. Export the vault again.`,
      );
    }
    // Another process may store the same file at this moment; each replaces it as a whole.
    await blobs.put({ owner, blobKey }, bytes);
  }
}

/** Deletes the files of a batch whose import was discarded while they were stored. */
export async function deleteBlobs(
  blobs: Pick<BlobStore, "delete">,
  owner: EName,
  batch: readonly ArchiveEntry[],
): Promise<void> {
  for (const { row } of batch.filter(({ kind }) => kind === "blob"))
    await blobs.delete({ owner, blobKey: (JSON.parse(row) as BlobRow).blob_key });
}

const COUNTED: ReadonlySet<EntryKind> = new Set(["version", "file", "blob"]);
const REPEATED: ReadonlySet<EntryKind> = new Set(["record", "event"]);

/** Counts the bytes of a batch's rows that the quotas do not count: as JSON text, in UTF-8. Refuses: never. */
export function measureRows(batch: readonly ArchiveEntry[]): ImportedBytes {
  const bytesOf = (entries: readonly ArchiveEntry[]) =>
    entries.reduce((sum, { row }) => sum + Buffer.byteLength(row), 0);
  return {
    otherBytes: bytesOf(batch.filter(({ kind }) => !COUNTED.has(kind) && !REPEATED.has(kind))),
    repeatedBytes: bytesOf(batch.filter(({ kind }) => REPEATED.has(kind))),
  };
}

/**
 * Stores the rows of a batch within a transaction: first the versions, which their records share.
 *
 * Refuses: ARCHIVE_INVALID for a row that the database refuses; its other errors. Source: decision V18.
 */
export async function storeRows(transaction: Queryable, owner: EName, batch: readonly ArchiveEntry[]): Promise<void> {
  const byKind = Map.groupBy(batch, ({ kind }) => kind);
  byKind.delete("blob");
  await asStored(async () => {
    for (const [kind, entries] of byKind) {
      const rows = entries.map(({ row }) => row);
      const search = kind === "record" ? { search: rows.map(searchText) } : {};
      await insertRows(transaction, owner, { kind: kind as RowKind, rows, ...search });
    }
  });
}

/** Runs statements that store values of an archive. Refuses: ARCHIVE_INVALID for a value that the database refuses. */
export async function asStored<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== "string" || !/^2[23]/.test(code)) throw error;
    const why = `An entry of the archive is refused by the database (SQLSTATE ${code}).`;
    throw new ArchiveError("ARCHIVE_INVALID", `${why} Export the vault again.`, { cause: error });
  }
}

function searchText(row: string): string {
  const { id, payload } = JSON.parse(row) as { readonly id: string; readonly payload: string };
  try {
    return payloadToSearchText(JSON.parse(payload) as Payload);
  } catch (cause) {
    throw new ArchiveError("ARCHIVE_INVALID", `The payload of ${id} is not a JSON object. Export the vault again.`, {
      cause,
    });
  }
}
