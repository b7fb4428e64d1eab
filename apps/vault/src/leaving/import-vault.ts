import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { ArchiveError } from "../archive/archive-error.ts";
import type { ArchiveEntry, ArchiveHeader, ArchiveManifest } from "../archive/archive-format.ts";
import { type ArchivePart, readArchive } from "../archive/read-archive.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { advanceImport, beginImport, endImport, type ImportProgress, lockImport } from "../store/import-rows.ts";
import { READER_LEVEL } from "../store/reader-level.ts";
import { findStandingVault, openOutbox, setVaultState } from "../store/vault-state-rows.ts";
import { assertImported, type ComparedArchive } from "./compare-import.ts";
import { asStored, assertFilesExpected, deleteBlobs, storeBlobs, storeRows, toBatches } from "./import-batches.ts";

/** Where a vault is imported to; `onEntries` is called with the number of entries that are stored so far. */
export interface ImportDeps {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly onEntries?: (position: number) => void;
}

/**
 * Imports an archive into this database, for its operator. A run that was interrupted goes on where it stopped, and an
 * archive that is imported already is compared again. The vault becomes active once it equals the archive.
 *
 * In: the archive's bytes, which are read twice at most. Refuses: ArchiveError. Source: decision V18.
 */
export async function importVault(
  deps: ImportDeps,
  open: () => AsyncIterable<Uint8Array>,
): Promise<{ readonly owner: EName; readonly manifest: ArchiveManifest }> {
  const parts = readArchive(open());
  const first = await parts.next();
  if (first.done || first.value.part !== "header") throw new Error("an archive begins with its header");
  const { header, text: headerText } = first.value;
  assertReadableHeader(header);
  const existing = await findStandingVault(deps.database, header.owner);
  let manifest: ArchiveManifest | undefined;
  const entries = entriesOf(parts, (found) => {
    manifest = found;
  });
  if (existing !== undefined && existing.state !== "importing") {
    for await (const _ of entries);
    await compareExisting(deps, { header, headerText, manifest: manifest as unknown as ArchiveManifest });
    return { owner: header.owner, manifest: manifest as unknown as ArchiveManifest };
  }
  let position = await startOrResume(deps.database, header, headerText);
  let seen = 0;
  for await (const batch of toBatches(entries)) {
    const from = seen;
    seen += batch.length;
    if (seen <= position) continue;
    position = await storeBatch(deps, {
      owner: header.owner,
      batch: batch.slice(Math.max(0, position - from)),
      from: Math.max(from, position),
    });
    deps.onEntries?.(position);
  }
  const archive = { header, headerText, manifest: manifest as unknown as ArchiveManifest };
  await assertImported(deps, archive);
  await activate(deps, header.owner, { header: headerText, position });
  return { owner: header.owner, manifest: archive.manifest };
}

/** Refuses an archive whose records this build cannot decide over: ARCHIVE_TOO_NEW. */
export function assertReadableHeader({ minReader }: ArchiveHeader): void {
  if (minReader <= READER_LEVEL) return;
  const why = `The archive needs a build of level ${minReader}, and this one has level ${READER_LEVEL}.`;
  throw new ArchiveError("ARCHIVE_TOO_NEW", `${why} Update Dataspace and try again.`);
}

/** Begins an import, or finds how far it has come. Refuses: VAULT_EXISTS where another archive is being imported. */
async function startOrResume(database: Database, header: ArchiveHeader, headerText: string): Promise<number> {
  const { owner, vaultId, createdAt } = header;
  return database.transaction(async (transaction) => {
    const progress = await lockImport(transaction, owner);
    if (progress?.header === headerText) return progress.position;
    const vault = { owner, vaultId, createdAt, header: headerText };
    if (progress === undefined && (await asStored(() => beginImport(transaction, vault)))) return 0;
    throw new ArchiveError(
      "VAULT_EXISTS",
      `Another archive of ${owner} is being imported here. Finish or discard that import first.`,
    );
  });
}

/** One batch: its owner, its entries, and how many entries of the archive come before it. */
export interface BatchToStore {
  readonly owner: EName;
  readonly batch: readonly ArchiveEntry[];
  readonly from: number;
}

/**
 * Stores one batch where the import stands exactly before it. Out: the position after it, or the unchanged position.
 *
 * In: `within`, what else belongs to its transaction. Refuses: ArchiveError; VAULT_EXISTS where no import is under way, also
 * where it was discarded meanwhile; what was stored of the batch's files is then deleted.
 */
export async function storeBatch(
  { database, blobs }: Pick<ImportDeps, "database" | "blobs">,
  { owner, batch, from }: BatchToStore,
  within: (transaction: Queryable) => Promise<void> = async () => undefined,
): Promise<number> {
  // A file is stored only where its row is: what nobody counts, or another import holds, is never touched.
  const begun = await database.transaction(async (transaction) => {
    const progress = await lockImport(transaction, owner);
    if (progress === undefined) throw noImport(owner);
    if (progress.position === from) await assertFilesExpected(transaction, owner, batch);
    return progress;
  });
  if (begun.position !== from) return begun.position;
  await storeBlobs(blobs, owner, batch);
  const stored = await database.transaction(async (transaction) => {
    const progress = await lockImport(transaction, owner);
    if (progress === undefined) return undefined;
    if (progress.header !== begun.header) throw noImport(owner);
    if (progress.position !== from) return progress.position;
    await storeRows(transaction, owner, batch);
    const position = from + batch.length;
    await advanceImport(transaction, owner, position);
    await within(transaction);
    return position;
  });
  if (stored !== undefined) return stored;
  await deleteBlobs(blobs, owner, batch);
  throw noImport(owner);
}

/** Whether an import stands where it was compared: it was neither continued nor discarded since. */
export function isSameImport(now: ImportProgress | undefined, compared: ImportProgress): boolean {
  return now?.header === compared.header && now.position === compared.position;
}

/** The refusal where nothing is being imported. */
function noImport(owner: EName): ArchiveError {
  const what = "begin one, and first discard what another one may have left";
  return new ArchiveError("VAULT_EXISTS", `No import of ${owner} is under way here; ${what}.`);
}

async function activate({ database, clock }: ImportDeps, owner: EName, compared: ImportProgress): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!isSameImport(await lockImport(transaction, owner), compared)) throw noImport(owner);
    await openOutbox(transaction, owner, new Date(clock.nowMs()).toISOString());
    await endImport(transaction, owner);
    await setVaultState(transaction, owner, { state: "active", movedTo: null, moveId: null });
  });
}

async function compareExisting(deps: ImportDeps, archive: ComparedArchive): Promise<void> {
  const { owner } = archive.header;
  try {
    await assertImported(deps, archive);
  } catch (cause) {
    if (!(cause instanceof ArchiveError)) throw cause;
    const why = `${owner} already has a vault here, and it does not equal the archive`;
    throw new ArchiveError("VAULT_EXISTS", `${why}. Nothing was written; import it into another database.`, { cause });
  }
}

async function* entriesOf(
  parts: AsyncIterable<ArchivePart>,
  onManifest: (manifest: ArchiveManifest) => void,
): AsyncGenerator<ArchiveEntry> {
  for await (const part of parts) {
    if (part.part === "entry") yield part.entry;
    else if (part.part === "manifest") onManifest(part.manifest);
  }
}
