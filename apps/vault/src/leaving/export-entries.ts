import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { EName } from "@dataspace/protocol/ename";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveEntry, type ArchiveHeader } from "../archive/archive-format.ts";
import type { BlobPlace, BlobStore } from "../files/blob-store.ts";
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
 * Reads the rows of an owner's archive, in order, from one snapshot. A page of rows is in memory.
 *
 * In: `onFile` receives the key of each file; their contents are read after the transaction, by `readFileEntry`.
 * Refuses: the database's errors. Source: decision V18.
 */
export async function* exportRows(
  transaction: Queryable,
  owner: EName,
  onFile: (blobKey: string) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const { row } of readRows(transaction, owner, "key")) yield { kind: "key", row };
  yield* recordsWithVersions(transaction, owner);
  for (const kind of FURTHER) {
    for await (const { row, key } of readRows(transaction, owner, kind)) {
      yield { kind, row };
      if (kind === "file") onFile(String(key[0]));
    }
  }
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

/**
 * Reads the content of one file as an entry. It may be a request to another service, so no transaction is open meanwhile.
 *
 * Out: undefined where the store does not have it. Refuses: the store's errors. Source: decision V18.
 */
export async function readFileEntry(
  blobs: Pick<BlobStore, "get">,
  place: BlobPlace,
): Promise<ArchiveEntry | undefined> {
  const stream = await blobs.get(place);
  if (stream === undefined) return undefined;
  const bytes = await buffer(stream);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const named = { blob_key: place.blobKey, size_bytes: bytes.length, sha256 };
  return { kind: "blob", row: JSON.stringify({ ...named, data: bytes.toString("base64") }) };
}
