import { pullRecord } from "../inbound/pull-record.ts";
import type { Entry } from "../mapping/conversion.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { findOwner, mayBelongTo } from "../mapping/owner-path.ts";
import { RowFault } from "../mapping/row-fault.ts";
import { type Change, noteChange } from "../state/changes.ts";
import { createIdStore, type Pair } from "../state/pairs.ts";
import { changedEntries, nestedRoots, overlay, pickFields } from "../sync/payload-fields.ts";
import type { Sync, SyncCore } from "../sync/sync.ts";
import { findTable, type Row } from "../sync/table-access.ts";
import { isNotFound } from "../sync/vaults.ts";
import { createRecord } from "./create-record.ts";
import type { OwnerTurns } from "./owner-turns.ts";
import { type RowPayload, rowToPayload } from "./row-to-payload.ts";
import { sendReferences } from "./send-references.ts";
import { waitForTargets } from "./wait-for-targets.ts";

/**
 * Brings the record of a row into step with the row as it is now: creates, updates or removes it, or leaves it.
 *
 * In: `turns` bounds what is sent to one owner at once. Refuses: RowFault for a row that cannot be mapped; OWNER_BUSY; the vault's and
 * the platform's errors. Source: S3 outbound rules; decision A3.
 */
export async function sendChange<Transaction>(
  sync: Sync<Transaction>,
  change: Change,
  turns: OwnerTurns,
): Promise<void> {
  const mapping = sync.mappings.byTable.get(change.table);
  if (mapping === undefined) return;
  const pair = await createIdStore(sync.database).findByLocal(change);
  const row = await readRow(sync, change);
  const owner = pair?.owner ?? (row && findOwner(mapping.ownerEnamePath, row));
  const send = (): Promise<void> => bringIntoStep(sync, mapping, { change, pair });
  await (owner === undefined ? send() : turns.run(owner, send));
}

async function bringIntoStep<Transaction>(
  sync: Sync<Transaction>,
  mapping: Mapping,
  { change, pair }: { readonly change: Change; readonly pair: Pair | undefined },
): Promise<void> {
  if (change.pull && pair !== undefined) await pullRecord(sync, mapping, pair);
  if (mapping.readOnly) return;
  const row = await readRow(sync, change);
  if (row === undefined) return removeRecord(sync, mapping, { change, pair });
  // Somebody else removed the record: what is still edited here does not bring it back.
  if (pair?.removal === "remote") return;
  if (pair === undefined || pair.removal === "local") await create(sync, mapping, { change, row });
  else await update(sync, mapping, { change, row });
  const now = await createIdStore(sync.database).findByLocal(change);
  if (now?.removal === "none") await sendReferences(sync, change, now);
}

interface ChangedRow {
  readonly change: Change;
  readonly row: Row;
}

async function readRow<Transaction>(sync: Sync<Transaction>, change: Change): Promise<Row | undefined> {
  const table = findTable(sync.tables, change.table);
  return table === undefined ? change.snapshot : table.read(change.localId, undefined);
}

async function create(sync: SyncCore, mapping: Mapping, { change, row }: ChangedRow): Promise<void> {
  const owner = findOwner(mapping.ownerEnamePath, row);
  const { table, localId } = change;
  if (owner === undefined) return sync.report({ kind: "skipped", table, localId, why: "NO_OWNER" });
  const { payload, pending } = await rowToPayload(sync, mapping, { row, owner, localId });
  await createRecord(sync, mapping, { change, creation: { owner, payload } });
  await waitForTargets(sync, change, pending);
}

async function update<Transaction>(
  sync: Sync<Transaction>,
  mapping: Mapping,
  { change, row }: ChangedRow,
): Promise<void> {
  const pairs = createIdStore(sync.database);
  const pair = await withOwnWrites(sync, await assertOwner(sync, mapping, { change, row }));
  const { payload, pending } = await rowToPayload(sync, mapping, { row, owner: pair.owner, localId: change.localId });
  await waitForTargets(sync, change, pending);
  const known = JSON.parse(pair.known);
  const held = new Set(pair.held);
  const changed = changedEntries(mapping, payload, known).filter(({ target }) => !held.has(target.text));
  if (changed.length === 0) return;
  const vault = sync.vaults.vault(pair.owner);
  const fields = pickFields(changed, payload);
  try {
    const patch = nestedRoots(changed).length === 0 ? fields : await overCurrent(sync, pair, { changed, payload });
    await vault.update(pair.globalId, { ontology: mapping.schemaId, payload: patch });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await pairs.mark(pair, { removal: "remote" });
    return;
  }
  sync.report({ kind: "sent", table: change.table, localId: change.localId, act: "update" });
  const isCurrent = await pairs.advance(pair, { known: JSON.stringify(overlay(changed, known, payload)) });
  // An event was applied meanwhile: only the vault knows which of the two came last.
  if (!isCurrent)
    await noteChange(sync.database, {
      table: change.table,
      localId: change.localId,
      nowMs: sync.clock.nowMs(),
      pull: true,
    });
}

/** A row that changed hands is written neither to its former owner's vault, nor as a second record to the new owner's. */
async function assertOwner(sync: SyncCore, mapping: Mapping, { change, row }: ChangedRow): Promise<Pair> {
  const pairs = createIdStore(sync.database);
  const pair = (await pairs.findByLocal(change)) as Pair;
  const isOwners = mayBelongTo(mapping.ownerEnamePath, row, pair.owner);
  if (isOwners && pair.removal === "none") return pair;
  await pairs.mark(pair, { removal: isOwners ? "none" : "moved" });
  if (isOwners) {
    // The events that came while the row was somebody else's were refused.
    const { table, localId } = change;
    if (pair.removal === "moved")
      await noteChange(sync.database, { table, localId, nowMs: sync.clock.nowMs(), pull: true });
    return (await pairs.findByLocal(change)) as Pair;
  }
  const message = "The row names another owner than its record's: give it back, or make a new row for the new owner.";
  throw new RowFault("OWNER_CHANGED", message);
}

/** Notes the platform's first write before it is sent. After a crash the next event then makes the adapter read the record. */
async function withOwnWrites(sync: SyncCore, pair: Pair): Promise<Pair> {
  if (pair.hasOwnWrites) return pair;
  const pairs = createIdStore(sync.database);
  await pairs.mark(pair, { hasOwnWrites: true });
  return (await pairs.findByLocal(pair)) as Pair;
}

/** A field that holds others is replaced as a whole, so what somebody else put beside ours is written with it. */
async function overCurrent(
  sync: SyncCore,
  pair: Pair,
  { changed, payload }: { readonly changed: readonly Entry[]; readonly payload: RowPayload["payload"] },
): Promise<RowPayload["payload"]> {
  const record = await sync.vaults.vault(pair.owner).get(pair.globalId);
  const current = (record?.parsed ?? {}) as RowPayload["payload"];
  const roots = new Set(changed.map(({ target }) => target.segments[0]?.name ?? ""));
  const touched = Object.fromEntries(Object.entries(current).filter(([name]) => roots.has(name)));
  return overlay(changed, touched, payload);
}

async function removeRecord(
  sync: SyncCore,
  mapping: Mapping,
  { change, pair }: { readonly change: Change; readonly pair: Pair | undefined },
): Promise<void> {
  const pairs = createIdStore(sync.database);
  // A creation that was interrupted may have reached the vault: it is finished to learn the record's id.
  if (pair === undefined || pair.removal === "local")
    await createRecord(sync, mapping, { change, creation: undefined });
  const current = await pairs.findByLocal(change);
  if (current === undefined || current.removal !== "none") return;
  try {
    await sync.vaults.vault(current.owner).remove(current.globalId);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  await pairs.mark(current, { removal: "local" });
  sync.report({ kind: "sent", table: change.table, localId: change.localId, act: "remove" });
}
