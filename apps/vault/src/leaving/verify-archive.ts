import type { EName } from "@dataspace/protocol/ename";
import { ArchiveError } from "../archive/archive-error.ts";
import type { ArchiveManifest, EntryKind } from "../archive/archive-format.ts";
import { type ArchiveBounds, readArchive } from "../archive/read-archive.ts";
import { type CheckedEntries, createEntryChecks, type EntryChecks } from "./entry-checks.ts";

/** What a verification found. */
export interface VerifiedArchive extends CheckedEntries {
  readonly owner: EName;
  readonly exportedAt: string;
  readonly moveId: string | null;
  readonly manifest: ArchiveManifest;
}

/** What is expected of an archive; `onEntry` is called for each entry. */
export interface Expected {
  readonly owner?: EName | undefined;
  /** The digest that the export printed. */
  readonly digest?: string | undefined;
  readonly bounds?: ArchiveBounds;
  readonly onEntry?: (kind: EntryKind) => void;
}

/**
 * Verifies an archive without a network: its checksums, the order and hashes of versions, events, and files. Each record must be
 * its last version, and a key in the archive must have made each signature of the owner.
 *
 * In: its bytes. Out: what was checked. Memory grows with the number of files alone. Refuses: ArchiveError.
 * Source: decision V18.
 */
export async function verifyArchive(
  source: AsyncIterable<Uint8Array>,
  { owner, digest, bounds, onEntry = () => undefined }: Expected = {},
): Promise<VerifiedArchive> {
  let checks: EntryChecks | undefined;
  let found: EName | undefined;
  let exportedAt = "";
  let moveId: string | null = null;
  let manifest: ArchiveManifest | undefined;
  for await (const part of readArchive(source, bounds)) {
    if (part.part === "header") {
      assertOwner(owner, part.header.owner);
      ({ exportedAt, moveId } = part.header);
      found = part.header.owner;
      checks = createEntryChecks(found);
    } else if (part.part === "entry") {
      await checks?.check(part.entry.kind, part.value);
      onEntry(part.entry.kind);
    } else ({ manifest } = part);
  }
  const counts = (checks as EntryChecks).finish();
  const { digest: whole } = manifest as ArchiveManifest;
  if (digest !== undefined && digest !== whole) {
    const why = `The archive's digest is ${whole}, and ${digest} was expected.`;
    throw new ArchiveError("ARCHIVE_ALTERED", `${why} Use the archive that the export wrote.`);
  }
  return { owner: found as EName, exportedAt, moveId, manifest: manifest as ArchiveManifest, ...counts };
}

/** Refuses an archive of another owner: ARCHIVE_OTHER_OWNER. */
export function assertOwner(expected: EName | undefined, found: EName): void {
  if (expected === undefined || expected === found) return;
  throw new ArchiveError("ARCHIVE_OTHER_OWNER", `The archive belongs to ${found}, not to ${expected}.`);
}
