import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { ArchiveError } from "../archive/archive-error.ts";
import {
  type ArchiveHeader,
  type ArchiveManifest,
  createArchiveDigests,
  findDifference,
} from "../archive/archive-format.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { exportEntries } from "./export-entries.ts";

/**
 * Reads an imported vault back, rows and files, and compares its counts and hashes with the archive's manifest.
 *
 * Refuses: IMPORT_INCOMPLETE. Source: decision V18.
 */
export async function assertImported(
  deps: { readonly transaction: Queryable; readonly blobs: Pick<BlobStore, "get"> },
  { header, headerText, manifest }: ComparedArchive,
): Promise<void> {
  const digests = createArchiveDigests(headerText);
  for await (const entry of exportEntries(deps, header.owner)) digests.add(entry);
  const difference = findDifference(manifest, digests.finish());
  if (difference === undefined) return;
  throw new ArchiveError(
    "IMPORT_INCOMPLETE",
    `The imported vault does not equal the archive: it has ${difference}. Discard the import and run it again.`,
  );
}

/** What an import is compared with: the header, its text, and the manifest. */
export interface ComparedArchive {
  readonly header: ArchiveHeader;
  readonly headerText: string;
  readonly manifest: ArchiveManifest;
}
