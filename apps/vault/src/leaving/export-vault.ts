import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { ArchiveEntry } from "../archive/archive-format.ts";
import { type ArchiveWriter, startArchive } from "../archive/write-archive.ts";
import { findStandingVault } from "../store/vault-state-rows.ts";
import { archiveHeader, beginSnapshot, type ExportDeps, exportRows, readFileEntry } from "./export-entries.ts";

/** What an export needs beside rows and files; `onEntry` is called for each entry. */
export interface ExportVaultDeps extends ExportDeps {
  readonly clock: Clock;
  readonly onEntry?: (entry: ArchiveEntry) => void;
}

/**
 * Exports a vault as an archive, its rows as of one moment. `write` takes each part and may wait.
 *
 * The transaction is open until `write` has taken the last row; a writer that waits for 30 s ends it. The files follow
 * after the transaction, since reading one may be a request to another service.
 * Out: false, and nothing written, where the owner has no complete vault here.
 * Refuses: the errors of database, files and `write`; an Error where a file was deleted meanwhile. Source: decision V18.
 */
export async function exportVault(
  { database, blobs, clock, onEntry = () => undefined }: ExportVaultDeps,
  owner: EName,
  write: (part: Buffer) => Promise<void>,
): Promise<boolean> {
  const blobKeys: string[] = [];
  const addTo = async (archive: ArchiveWriter, entry: ArchiveEntry): Promise<void> => {
    onEntry(entry);
    await archive.add(entry);
  };
  const archive = await database.transaction(async (transaction) => {
    await beginSnapshot(transaction);
    const vault = await findStandingVault(transaction, owner);
    if (vault === undefined || vault.state === "importing") return undefined;
    const started = startArchive(archiveHeader(vault, clock.nowMs()), write);
    for await (const entry of exportRows(transaction, owner, (blobKey) => blobKeys.push(blobKey)))
      await addTo(started, entry);
    return started;
  });
  if (archive === undefined) return false;
  for (const blobKey of blobKeys) {
    const entry = await readFileEntry(blobs, { owner, blobKey });
    if (entry === undefined) throw new Error(`the file ${blobKey} was deleted during the export; export again`);
    await addTo(archive, entry);
  }
  await archive.finish();
  return true;
}
