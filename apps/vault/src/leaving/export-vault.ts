import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { ArchiveEntry } from "../archive/archive-format.ts";
import { writeArchive } from "../archive/write-archive.ts";
import { findStandingVault } from "../store/vault-state-rows.ts";
import { archiveHeader, beginSnapshot, type ExportDeps, exportEntries } from "./export-entries.ts";

/** What an export needs beside rows and files; `onEntry` is called for each entry. */
export interface ExportVaultDeps extends ExportDeps {
  readonly clock: Clock;
  readonly onEntry?: (entry: ArchiveEntry) => void;
}

/**
 * Exports a vault as an archive, all of it as of one moment. `write` takes each part and may wait.
 *
 * The transaction is open until `write` has taken the last part; a writer that waits for 30 s ends it.
 * Out: false, and nothing written, where the owner has no complete vault here.
 * Refuses: the errors of database, files and `write`. Source: decision V18.
 */
export async function exportVault(
  { database, blobs, clock, onEntry = () => undefined }: ExportVaultDeps,
  owner: EName,
  write: (part: Buffer) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await beginSnapshot(transaction);
    const vault = await findStandingVault(transaction, owner);
    if (vault === undefined || vault.state === "importing") return false;
    const entries = watched(exportEntries({ transaction, blobs }, owner), onEntry);
    for await (const part of writeArchive(archiveHeader(vault, clock.nowMs()), entries)) await write(part);
    return true;
  });
}

async function* watched(
  entries: AsyncIterable<ArchiveEntry>,
  onEntry: (entry: ArchiveEntry) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    onEntry(entry);
    yield entry;
  }
}
