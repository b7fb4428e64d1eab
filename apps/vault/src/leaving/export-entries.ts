import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveEntry, type ArchiveHeader } from "../archive/archive-format.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { type RowKind, readRows } from "../store/archive-reading.ts";
import { READER_LEVEL } from "../store/reader-level.ts";
import type { StandingVault } from "../store/vault-state-rows.ts";

/** Where a vault's rows and files are. */
export interface ExportDeps {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, "get">;
}

/** The kinds after the records, in the order of the archive. */
const FURTHER: readonly RowKind[] = ["group", "policy", "event", "access", "answer", "token", "file"];

/** Writes the header of a vault's archive. In: milliseconds since the epoch. Refuses: never. Source: decision V18. */
export function archiveHeader({ owner, vaultId, createdAt, moveId }: StandingVault, nowMs: number): ArchiveHeader {
  const format = { format: ARCHIVE_FORMAT, formatVersion: ARCHIVE_VERSION } as const;
  const exportedAt = new Date(nowMs).toISOString();
  return { ...format, owner, vaultId, createdAt, exportedAt, minReader: READER_LEVEL, moveId };
}

/**
 * Makes a transaction one consistent, read-only view of the database, in which times are written in UTC. It must be the
 * first statement. Source: decision V18.
 */
export async function beginSnapshot(transaction: Queryable): Promise<void> {
  await transaction.query({ text: "set transaction isolation level repeatable read, read only", values: [] });
  await transaction.query({ text: "set local timezone to 'UTC'", values: [] });
}

/**
 * Reads all entries of an owner's archive, in order, from one snapshot. A page of rows and one file are in memory.
 *
 * Refuses: the errors of the database and of the store of files; an Error where the store lacks a file.
 * Source: decision V18.
 */
export async function* exportEntries(
  { transaction, blobs }: { readonly transaction: Queryable; readonly blobs: Pick<BlobStore, "get"> },
  owner: EName,
): AsyncGenerator<ArchiveEntry> {
  for await (const { row } of readRows(transaction, owner, "key")) yield { kind: "key", row };
  yield* recordsWithVersions(transaction, owner);
  const blobKeys: string[] = [];
  for (const kind of FURTHER) {
    for await (const { row, key } of readRows(transaction, owner, kind)) {
      yield { kind, row };
      if (kind === "file") blobKeys.push(String(key[0]));
    }
  }
  for (const blobKey of blobKeys) yield { kind: "blob", row: await blobRow(blobs, { owner, blobKey }) };
}

// Both are in the order of their ids, so they are merged as they arrive: the versions of each record, then the record.
async function* recordsWithVersions(transaction: Queryable, owner: EName): AsyncGenerator<ArchiveEntry> {
  const versions = readRows(transaction, owner, "version");
  let next = await versions.next();
  for await (const { row, key } of readRows(transaction, owner, "record")) {
    const [id] = key;
    while (!next.done && next.value.key[0] === id) {
      yield { kind: "version", row: next.value.row };
      next = await versions.next();
    }
    yield { kind: "record", row };
  }
}

async function blobRow(
  blobs: Pick<BlobStore, "get">,
  place: { readonly owner: EName; readonly blobKey: string },
): Promise<string> {
  const stream = await blobs.get(place);
  if (stream === undefined) throw new Error(`the store of files does not have the blob ${place.blobKey}`);
  const bytes = await buffer(stream);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const named = { blob_key: place.blobKey, size_bytes: bytes.length, sha256 };
  return JSON.stringify({ ...named, data: bytes.toString("base64") });
}
