import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { ArchiveError } from "../archive/archive-error.ts";
import type { ArchiveEntry, ArchiveManifest } from "../archive/archive-format.ts";
import { readEntry, readHeader } from "../archive/read-archive.ts";
import { refusal } from "../errors.ts";
import type { BlobStore } from "../files/blob-store.ts";
import { readRows } from "../store/archive-reading.ts";
import {
  addImportedBytes,
  beginImport,
  deleteImportedRows,
  endImport,
  type ImportProgress,
  lockImport,
  readOccupied,
} from "../store/import-rows.ts";
import { findStandingVault, lockStandingVault, openOutbox, setVaultState } from "../store/vault-state-rows.ts";
import { assertImported } from "./compare-import.ts";
import { asStored, measureRows } from "./import-batches.ts";
import { isAdmitted } from "./import-codes.ts";
import { assertReadableHeader, isSameImport, storeBatch } from "./import-vault.ts";
import { conflict, type MoveDeps, type MoveStep, type Standing } from "./move-vault.ts";
import { assertOwner } from "./verify-archive.ts";

/** What receiving a vault over HTTP needs. `place` returns this vault's own address. */
export interface ReceiveDeps extends MoveDeps {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly place: () => string;
  readonly bounds: ReceiveBounds;
}

/** Whether a code is needed, and the owner's quotas; 0: no limit. */
export interface ReceiveBounds {
  readonly needsCode: boolean;
  readonly records: number;
  readonly bytes: number;
}

/** How far an import has come: `position` entries are stored; null once it is complete. */
export interface Received extends Standing {
  readonly position: number | null;
}

/**
 * Begins to receive a vault, or tells how far it has come.
 *
 * In: the archive's first line, and the operator's code where one is needed. Refuses: IMPORT_REFUSED,
 * IMPORT_NOT_ADMITTED, MOVE_CONFLICT where the owner has a vault here or another archive is being received.
 * Source: decision V18.
 */
export async function beginReceiving(
  { database, clock, bounds }: ReceiveDeps,
  { owner, within }: MoveStep,
  { headerText, code }: { readonly headerText: string; readonly code: string | undefined },
): Promise<Received> {
  const header = orRefused(() => {
    const read = readHeader(headerText);
    assertOwner(owner, read.owner);
    assertReadableHeader(read);
    return read;
  });
  return database.transaction(async (transaction) => {
    const vault = await lockStandingVault(transaction, owner);
    if (vault !== undefined && vault.state !== "importing") throw conflict(vault, "It is not received again.");
    await within(transaction);
    const progress = await lockImport(transaction, owner);
    if (progress !== undefined && vault !== undefined) {
      if (progress.header !== headerText) throw conflict(vault, "Discard the other import first.");
      return { ...IMPORTING, position: progress.position };
    }
    if (bounds.needsCode) {
      const at = new Date(clock.nowMs()).toISOString();
      if (!(await isAdmitted(transaction, { owner, code, at }))) throw notAdmitted(owner);
    }
    const { vaultId, createdAt } = header;
    const imported = { owner, vaultId, createdAt, header: headerText };
    if (await orRefused(() => asStored(() => beginImport(transaction, imported)))) return { ...IMPORTING, position: 0 };
    throw conflict({ owner, state: "importing" }, "Send this request again, and discard first what a discard left.");
  });
}

const IMPORTING = { state: "importing", movedTo: null, moveId: null } as const;

/**
 * Stores the next entries of an archive. It spends the token first, so that one token buys the work of one request.
 *
 * In: `from`, how many come before them. Out: how many are stored; where `from` is not that number, nothing is stored.
 * Refuses: IMPORT_REFUSED, QUOTA_EXCEEDED, TOKEN_SPENT. Source: decisions V18, V21.
 */
export async function receiveEntries(
  { database, blobs, bounds }: ReceiveDeps,
  { owner, within }: MoveStep,
  { from, lines }: { readonly from: number; readonly lines: readonly string[] },
): Promise<number> {
  await database.transaction(within);
  const batch = orRefused(() => lines.map((line, index) => readOwnEntry(owner, line, from + index + 2)));
  return orRefused(() =>
    storeBatch({ database, blobs }, { owner, batch, from }, async (transaction) => {
      const { records, bytes } = await readOccupied(transaction, owner);
      const { otherBytes, repeatedBytes } = await addImportedBytes(transaction, owner, measureRows(batch));
      const isFull =
        (bounds.records > 0 && records > bounds.records) ||
        (bounds.bytes > 0 && (bytes + otherBytes > bounds.bytes || repeatedBytes > MOST_REPEATED * bounds.bytes));
      if (isFull) throw refusal("QUOTA_EXCEEDED", "The archive holds more than this vault grants to one owner.");
    }),
  );
}

/** A record and an undelivered event repeat a version, and a quote takes two bytes in the text of a row. */
const MOST_REPEATED = 6;

/**
 * Takes the token of a comparison, which is long work: spent before it begins, so that one token buys one comparison.
 *
 * Out: the import to compare; undefined where it is complete already. Refuses: MOVE_CONFLICT, TOKEN_SPENT.
 * Source: decisions I6, V18.
 */
export async function beginFinishing(
  { database }: ReceiveDeps,
  { owner, within }: MoveStep,
): Promise<ImportProgress | Received> {
  return database.transaction(async (transaction) => {
    const found = await findStandingVault(transaction, owner);
    const progress = await lockImport(transaction, owner);
    if (progress === undefined && found?.state !== "arrived" && found?.state !== "active")
      throw refusal("MOVE_CONFLICT", `No import of ${owner} is under way here; begin one.`);
    await within(transaction);
    if (progress !== undefined) return progress;
    return { state: found?.state ?? "arrived", movedTo: null, moveId: null, position: null };
  });
}

/**
 * Checks what was received, compares it with the archive, and makes the vault readable.
 *
 * In: the import as `beginFinishing` found it, and a `signal` that ends the work with its reason.
 * Refuses: IMPORT_REFUSED; MOVE_CONFLICT where the import went on or was discarded meanwhile. Source: decision V18.
 */
export async function finishReceiving(
  deps: ReceiveDeps,
  owner: EName,
  { begun, manifest, signal }: Finishing,
): Promise<Received> {
  const { header: headerText } = begun;
  await orRefused(() => assertImported(deps, { header: readHeader(headerText), headerText, manifest }, signal));
  return deps.database.transaction(async (transaction) => {
    const vault = await lockStandingVault(transaction, owner);
    const isSame = isSameImport(await lockImport(transaction, owner), begun);
    if (vault?.state !== "importing" || !isSame)
      throw conflict({ owner, state: vault?.state ?? "importing" }, "Its import changed during the comparison.");
    await setVaultState(transaction, owner, { state: "arrived", movedTo: null, moveId: null });
    await endImport(transaction, owner);
    return { state: "arrived", movedTo: null, moveId: null, position: null };
  });
}

/** An import that is being finished: where it stood at first, what it is compared with, and what ends the work. */
export interface Finishing {
  readonly begun: ImportProgress;
  readonly manifest: ArchiveManifest;
  readonly signal: AbortSignal;
}

/** Makes a received vault active once the registry names this place. Refuses: MOVE_CONFLICT, REGISTRY_UNAVAILABLE. */
export async function activateReceived(
  { database, findAddress, clock, place }: ReceiveDeps,
  { owner, within }: MoveStep,
): Promise<Received> {
  const address = await findAddress(owner);
  return database.transaction(async (transaction) => {
    const vault = await lockStandingVault(transaction, owner);
    if (vault?.state === "active") return { state: "active", movedTo: null, moveId: null, position: null };
    if (vault?.state !== "arrived") throw refusal("MOVE_CONFLICT", `No complete import of ${owner} is here.`);
    if (address !== place()) throw conflict(vault, `The registry names ${address ?? "no vault"}.`);
    await within(transaction);
    await openOutbox(transaction, owner, new Date(clock.nowMs()).toISOString());
    await setVaultState(transaction, owner, { state: "active", movedTo: null, moveId: null });
    return { state: "active", movedTo: null, moveId: null, position: null };
  });
}

/** Discards an import that the registry does not know of, with its files. Refuses: MOVE_CONFLICT. */
export async function discardReceived(
  { database, blobs, findAddress, place }: ReceiveDeps,
  { owner, within }: MoveStep,
): Promise<void> {
  const address = await findAddress(owner);
  const isGone = await database.transaction(async (transaction) => {
    const vault = await lockStandingVault(transaction, owner);
    if (vault === undefined) return true;
    const isOpen = vault.state === "importing" || (vault.state === "arrived" && address !== place());
    if (!isOpen) throw conflict(vault, "Only an import that is not active is discarded.");
    await within(transaction);
    await setVaultState(transaction, owner, IMPORTING);
    // From here on no batch is stored, and no comparison ends.
    await endImport(transaction, owner);
    return false;
  });
  if (isGone) return;
  for await (const { key } of readRows(database, owner, "file")) await blobs.delete({ owner, blobKey: String(key[0]) });
  await deleteImportedRows(database, owner);
}

/** Tells how far an import has come. */
export async function readReceived({ database }: Pick<ReceiveDeps, "database">, owner: EName): Promise<Received> {
  return database.transaction(async (transaction) => {
    const vault = await findStandingVault(transaction, owner);
    if (vault === undefined) throw refusal("UNKNOWN_ENAME", `No import of ${owner} is here.`, "X-ENAME");
    const progress = await lockImport(transaction, owner);
    return { state: vault.state, movedTo: vault.movedTo, moveId: vault.moveId, position: progress?.position ?? null };
  });
}

function readOwnEntry(owner: EName, line: string, number: number): ArchiveEntry {
  const { entry, value } = readEntry(line, number);
  if (entry.kind !== "event") return entry;
  const body = JSON.parse(value["body"] as string) as Readonly<Record<string, unknown>>;
  const isOfRow = body["eventId"] === value["event_id"] && body["id"] === value["stream_id"];
  if (body["dsid"] === owner && isOfRow) return entry;
  throw new ArchiveError(
    "ARCHIVE_OTHER_OWNER",
    `Line ${number} of the archive is an event of another owner or record.`,
  );
}

function orRefused<T>(read: () => T): T {
  try {
    const result = read();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw toRefusal(error);
    }) as T;
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): unknown {
  return error instanceof ArchiveError ? refusal("IMPORT_REFUSED", `${error.code}: ${error.message}`) : error;
}

function notAdmitted(owner: EName): Error {
  const what = `Ask the operator of this vault for a code (dataspace vault admit ${owner}), and send it as code.`;
  return refusal("IMPORT_NOT_ADMITTED", `The vault of ${owner} is not admitted here. ${what}`, "code");
}
