import type { Converted } from "../mapping/convert.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { createFileUris, urlKeyOf } from "../state/file-uris.ts";
import { createIdStore, type GlobalRef, type LocalRef, type Pair } from "../state/pairs.ts";
import { notePending, releasePending } from "../state/pending.ts";
import type { Session } from "../state/state-database.ts";
import { changedEntries, overlay } from "../sync/payload-fields.ts";
import type { Sync } from "../sync/sync.ts";
import type { TableAccess } from "../sync/table-access.ts";
import { assertRowOfOwner } from "./assert-row-of-owner.ts";
import { mergeChanges } from "./merge-changes.ts";
import { type FileUrls, payloadToRow, rowToKnown } from "./payload-to-row.ts";

/** The payload of a record that is to be applied to its row. */
export interface Application<Transaction> {
  readonly mapping: Mapping;
  readonly table: TableAccess<Transaction>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly files: FileUrls;
}

/** The pair changed between what was read outside the transaction and the transaction: the event is to come again. */
export class StalePair extends Error {
  readonly code = "STALE_PAIR";
}

/**
 * Makes the row of a record that has none, and joins the two.
 *
 * A payload of which nothing is mapped makes no row. Refuses: OwnerMismatch for a row that would belong to somebody else than the
 * vault's owner, or else anybody could write the rows of others; RowFault; the platform's errors. Source: S3 inbound rule 4.
 */
export async function createRow<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  { record, application }: { readonly record: GlobalRef; readonly application: Application<Transaction> },
): Promise<void> {
  const { mapping, table, payload, files } = application;
  const converted = await payloadToRow(session, mapping, { payload, files, owner: record.owner });
  if (Object.keys(converted.result).length === 0)
    return sync.report({ kind: "refused", globalId: record.globalId, why: "EMPTY" });
  assertRowOfOwner(mapping, { record, row: converted.result, pending: converted.pending });
  const localId = String(await table.create(converted.result, session.transaction));
  const ref = { table: mapping.tableName, localId };
  const row = (await table.read(localId, session.transaction)) ?? converted.result;
  assertRowOfOwner(mapping, { record, row, pending: converted.pending });
  const known = JSON.stringify(await rowToKnown(session, mapping, { row, files }));
  const held = converted.pending.map(({ field }) => field);
  await createIdStore(session).save(
    { ...ref, ...record, known, held, hasOwnWrites: false, removal: "none" },
    sync.clock.nowMs(),
  );
  await settle(sync, session, { ref, record, converted, files });
  sync.report({ kind: "applied", ...ref, act: "create" });
}

/**
 * Writes to a row what changed about its record. Fields that did not change keep what the platform made of them meanwhile.
 *
 * Refuses: StalePair; OwnerMismatch, also for a row that belongs to somebody else already; RowFault; the platform's errors. Source: S3 inbound rule 4.
 */
export async function updateRow<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  { pair, application }: { readonly pair: Pair; readonly application: Application<Transaction> },
): Promise<void> {
  const { mapping, table, payload, files } = application;
  const known = JSON.parse(pair.known);
  const changed = changedEntries(mapping, payload, known);
  const converted = await payloadToRow(session, mapping, { payload, files, owner: pair.owner });
  const before = await table.read(pair.localId, session.transaction);
  if (before === undefined) return;
  // A row that the platform gave to somebody else is not taken back by its former owner's vault.
  assertRowOfOwner(mapping, { record: pair, row: before, pending: [] });
  const changes = mergeChanges(changed, converted.result, before);
  if (Object.keys(changes).length > 0) await table.update(pair.localId, changes, session.transaction);
  const row = (await table.read(pair.localId, session.transaction)) ?? { ...before, ...changes };
  assertRowOfOwner(mapping, { record: pair, row, pending: converted.pending });
  const reflected = await rowToKnown(session, mapping, { row, files });
  const held = converted.pending.map(({ field }) => field);
  const advanced = { known: JSON.stringify(overlay(changed, known, reflected)), held };
  if (!(await createIdStore(session).advance(pair, advanced))) throw new StalePair("The record changed meanwhile.");
  await settle(sync, session, { ref: pair, record: pair, converted, files });
  if (Object.keys(changes).length > 0)
    sync.report({ kind: "applied", table: pair.table, localId: pair.localId, act: "update" });
}

interface Settled {
  readonly ref: LocalRef;
  readonly record: GlobalRef;
  readonly converted: Converted;
  readonly files: FileUrls;
}

async function settle<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  settled: Settled,
): Promise<void> {
  const { ref, record, converted, files } = settled;
  for (const [uri, url] of files) await createFileUris(session).save(urlKeyOf(record.owner, url), uri);
  await notePending(session, ref, { side: "global", targets: converted.pending });
  await releasePending(session, [{ ...ref, globalId: record.globalId }], sync.clock.nowMs());
  if (converted.issues.length === 0) return;
  const fields = converted.issues.map(({ key, code }) => `${key}: ${code}`);
  sync.report({ kind: "left-out", table: ref.table, localId: ref.localId, fields });
}
