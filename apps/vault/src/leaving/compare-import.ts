import type { Database } from "@dataspace/service-kit/postgres/database";
import { ArchiveError } from "../archive/archive-error.ts";
import {
  type ArchiveEntry,
  type ArchiveHeader,
  type ArchiveManifest,
  createArchiveDigests,
  findDifference,
} from "../archive/archive-format.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { createEntryChecks } from "./entry-checks.ts";
import { beginSnapshot, exportRows, readFileEntry } from "./export-entries.ts";

/** What an import is compared with: the header, its text, and the manifest. */
export interface ComparedArchive {
  readonly header: ArchiveHeader;
  readonly headerText: string;
  readonly manifest: ArchiveManifest;
}

/**
 * Reads an imported vault back, rows and files. It checks each entry as an archive is checked offline, and compares counts and
 * hashes with the archive's manifest. The files are read after the transaction.
 *
 * In: a `signal` that ends the work; its reason is thrown.
 * Refuses: IMPORT_INCOMPLETE; as `createEntryChecks`. Source: decision V18.
 */
export async function assertImported(
  { database, blobs }: { readonly database: Database; readonly blobs: Pick<BlobStore, "get"> },
  { header, headerText, manifest }: ComparedArchive,
  signal?: AbortSignal,
): Promise<void> {
  const { owner } = header;
  const digests = createArchiveDigests(headerText);
  const checks = createEntryChecks(owner);
  const blobKeys: string[] = [];
  const add = async (entry: ArchiveEntry): Promise<void> => {
    signal?.throwIfAborted();
    digests.add(entry);
    await checks.check(entry.kind, JSON.parse(entry.row) as Readonly<Record<string, unknown>>);
  };
  await database.transaction(async (transaction) => {
    await beginSnapshot(transaction);
    for await (const entry of exportRows(transaction, owner, (blobKey) => blobKeys.push(blobKey))) await add(entry);
  });
  for (const blobKey of blobKeys) {
    const entry = await readFileEntry(blobs, { owner, blobKey });
    if (entry !== undefined) await add(entry);
  }
  const difference = findDifference(manifest, digests.finish());
  if (difference !== undefined) throw incomplete(difference);
  checks.finish();
}

function incomplete(difference: string): ArchiveError {
  return new ArchiveError(
    "IMPORT_INCOMPLETE",
    `The imported vault does not equal the archive: it has ${difference}. Discard the import and run it again.`,
  );
}
