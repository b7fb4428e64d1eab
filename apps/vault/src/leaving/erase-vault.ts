import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import type { BlobPlace, BlobStore } from "../files/blob-store.ts";
import { envelopeHash } from "../meta-envelopes/envelope-hash.ts";
import { payloadToSearchText } from "../meta-envelopes/search-text.ts";
import {
  blankRecords,
  condemnFilesOf,
  deleteTraces,
  type ErasingRemoval,
  eraseAnswers,
  hasContent,
  lockRecordsAfter,
  lockRecordsWithContent,
  lockRecordToErase,
  noteErasure,
  type RecordToErase,
  removeForErasure,
} from "../store/erase-rows.ts";
import { listKeysInForce } from "../store/key-rows.ts";
import { lockOwner } from "../store/owner-lock.ts";
import { forgetFile } from "../store/stored-file-rows.ts";
import { holdBackWrites, lockStandingVault, type StandingVault } from "../store/vault-state-rows.ts";
import { readOnly } from "./refuse-writes.ts";

/** Where an erasure works. `newUuid` returns UUIDv7s in ascending order. */
export interface EraseDeps {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, "delete">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly newUuid: () => string;
}

/** What to erase: one record, or all of an owner after the id that the last part ended with. */
export interface ErasureRequest {
  readonly owner: EName;
  readonly id?: string | undefined;
  readonly after?: string | undefined;
  /** Who erases: the owner, or null for the operator. */
  readonly by: EName | null;
  /** What else belongs to the transaction, such as spending a token. */
  readonly within?: ((transaction: Queryable) => Promise<void>) | undefined;
}

/** A part of an erasure: how many records it erased, and where the next part begins; null where nothing is left. */
export interface ErasedPart {
  readonly erased: number;
  readonly next: string | null;
}

const RECORDS_AT_ONCE = 200;
const NO_CONTENT = payloadToSearchText({});

/**
 * Erases a part of an owner's records, at most 200 in one transaction: payloads of all versions, search texts, policies,
 * waiting events and files. What stays is a tombstone: ids, ontologies, versions, hashes, times and writers. An active record gets
 * a removal as its last version, so subscribers are notified. Repeating it changes nothing.
 *
 * Each part, also that of a single record, blanks all stored answers of the owner's keyed requests.
 *
 * A vault's erasure ends when no version has content. Records written during the erasure, with ids that it has passed
 * already, are found in a last pass.
 * Out: undefined where the owner has no vault here, or not this record. Refuses: VAULT_READ_ONLY while the vault moves;
 * the database's errors. Source: decisions V8, V18.
 */
export async function erasePart(deps: EraseDeps, request: ErasureRequest): Promise<ErasedPart | undefined> {
  const { owner, id, after = "" } = request;
  const part = await eraseListed(deps, request, async (transaction) =>
    id === undefined
      ? lockRecordsAfter(transaction, owner, { after, limit: RECORDS_AT_ONCE })
      : one(lockRecordToErase(transaction, owner, id)),
  );
  if (part === undefined || (id !== undefined && part.length === 0)) return undefined;
  if (id !== undefined) return { erased: part.length, next: null };
  const last = part.at(-1)?.id ?? after;
  if (part.length === RECORDS_AT_ONCE) return { erased: part.length, next: last };
  const late = await eraseListed(deps, { ...request, within: undefined }, (transaction) =>
    lockRecordsWithContent(transaction, owner, RECORDS_AT_ONCE),
  );
  const isEmpty = late?.length === 0 && (await endErasure(deps, owner));
  return { erased: part.length + (late?.length ?? 0), next: isEmpty ? null : last };
}

type ListToErase = (transaction: Queryable) => Promise<readonly RecordToErase[]>;

async function eraseListed(
  deps: EraseDeps,
  { owner, id, by, within }: ErasureRequest,
  list: ListToErase,
): Promise<readonly RecordToErase[] | undefined> {
  const at = new Date(deps.clock.nowMs()).toISOString();
  const done = await deps.database.transaction(async (transaction) => {
    const vault = await lockErasable(transaction, owner);
    if (vault === undefined) return undefined;
    // Answers that are stored already go first: a keyed request may hold the row of its key while it waits for the owner's lock.
    await eraseAnswers(transaction, owner);
    await lockOwner(transaction, owner);
    await eraseAnswers(transaction, owner);
    const records = await list(transaction);
    if (id !== undefined && records.length === 0) return { records, files: [] };
    await within?.(transaction);
    const files = await eraseRecords(deps, transaction, { records, vault, by, at });
    // The events of a vault that has moved belong to the new place.
    if (vault.state !== "moved") await noteErasure(transaction, { owner, id: id ?? "", before: at });
    return { records, files };
  });
  for (const file of done?.files ?? []) await deleteBlob(deps, file);
  return done?.records;
}

// Writes wait only for this check. It locks no record, so it never waits for a write that waits for it.
async function endErasure({ database }: EraseDeps, owner: EName): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if ((await lockErasable(transaction, owner)) === undefined) return true;
    await holdBackWrites(transaction, owner);
    if (await hasContent(transaction, owner)) return false;
    await deleteTraces(transaction, owner);
    return true;
  });
}

async function lockErasable(transaction: Queryable, owner: EName): Promise<StandingVault | undefined> {
  const vault = await lockStandingVault(transaction, owner);
  if (vault === undefined || vault.state === "importing") return undefined;
  if (vault.state === "moving" || vault.state === "arrived") throw readOnly(vault.movedTo ?? "");
  return vault;
}

async function one(found: Promise<RecordToErase | undefined>): Promise<readonly RecordToErase[]> {
  const record = await found;
  return record === undefined ? [] : [record];
}

interface PartToErase {
  readonly records: readonly RecordToErase[];
  readonly vault: StandingVault;
  readonly by: EName | null;
  readonly at: string;
}

async function eraseRecords(
  deps: EraseDeps,
  transaction: Queryable,
  { records, vault, by, at }: PartToErase,
): Promise<readonly BlobPlace[]> {
  const { owner } = vault;
  const [key] = await listKeysInForce(transaction, owner);
  // A vault that has moved writes no versions: those of its records are written at the new place.
  const active = vault.state === "moved" ? [] : records.filter(({ removed }) => !removed);
  const items = active.map((record) => removalOf(deps, record, { owner, at, key: key?.publicKey ?? null }));
  const credential = by === null ? "operator" : "wallet-token";
  await removeForErasure(transaction, owner, { items, subject: by, credential, at });
  const raised = new Set(active);
  const ids = records.map((record) => record.id);
  const versions = records.map((record) => record.version + (raised.has(record) ? 1 : 0));
  await blankRecords(transaction, owner, { ids, versions, emptySearch: NO_CONTENT });
  return condemnFilesOf(transaction, owner, ids);
}

function removalOf(
  { newUuid }: EraseDeps,
  record: RecordToErase,
  { owner, at, key }: { readonly owner: EName; readonly at: string; readonly key: string | null },
): ErasingRemoval {
  const { id, ontology, quarantined, aclBlock } = record;
  const version = record.version + 1;
  const eventId = newUuid();
  const members = { eventId, id, dsid: owner, schemaId: ontology, data: {}, vaultPublicKey: key, operation: "delete" };
  const body = JSON.stringify({ ...members, streamVersion: version, occurredAt: at });
  const policy = `{"acl":${JSON.stringify(record.acl ?? [owner])},"_acl":${aclBlock ?? "null"}}`;
  const named = { id, ontology, version, logId: newUuid(), hash: envelopeHash({ id }), isCounted: aclBlock === null };
  return { ...named, event: quarantined ? null : { id: eventId, body, policy } };
}

// What fails here is deleted by the sweep of abandoned uploads, since the file is condemned.
async function deleteBlob({ database, blobs, log }: EraseDeps, file: BlobPlace): Promise<void> {
  try {
    await blobs.delete(file);
    await forgetFile(database, file);
  } catch (error) {
    log.warn({ err: error }, "the blob of an erased file could not be deleted; the sweep will try again");
  }
}
