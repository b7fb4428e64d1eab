import { isDeepStrictEqual } from "node:util";
import { createIntents } from "../state/intents.ts";
import { createIdStore, type GlobalRef, type Pair } from "../state/pairs.ts";
import type { Session } from "../state/state-database.ts";
import { pickMapped } from "../sync/payload-fields.ts";
import type { Sync } from "../sync/sync.ts";
import { type Application, createRow, StalePair, updateRow } from "./apply-payload.ts";
import { assertRowOfOwner } from "./assert-row-of-owner.ts";
import type { PreparedEvent } from "./prepare-event.ts";

/** The platform is just creating such a record: who it is shows when that has ended. */
class CreationUnderWay extends Error {
  readonly code = "CREATION_UNDER_WAY";
}

/**
 * Applies an event to the platform's row, in the transaction that took it in.
 *
 * Refuses: errors after which the event is to come again; RowFault. Source: S3 inbound rules 3 and 4; decisions A4, V9.
 */
export async function applyEvent<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  prepared: PreparedEvent<Transaction>,
): Promise<void> {
  const { event, application } = prepared;
  const record = { owner: event.dsid, globalId: event.id };
  const pair = await createIdStore(session).findByGlobal(record);
  if (pair?.revision !== prepared.pair?.revision) throw new StalePair("The record changed meanwhile.");
  if (event.operation === "delete") return removeRow(sync, session, { pair, prepared });
  if (application === undefined) return;
  if (pair === undefined) {
    await assertNotOurs(session, { record, application });
    return createRow(sync, session, { record, application });
  }
  if (pair.removal === "none" || pair.removal === "moved") return updateRow(sync, session, { pair, application });
  return reviveRow(sync, session, { pair, application });
}

async function removeRow<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  { pair, prepared }: { readonly pair: Pair | undefined; readonly prepared: PreparedEvent<Transaction> },
): Promise<void> {
  if (pair === undefined || pair.removal !== "none") return;
  const { mapping, table } = prepared.access;
  const row = await table.read(pair.localId, session.transaction);
  if (row !== undefined) assertRowOfOwner(mapping, { record: pair, row, pending: [] });
  await table.remove(pair.localId, session.transaction);
  await createIdStore(session).advance(pair, { removal: "remote" });
  sync.report({ kind: "applied", table: pair.table, localId: pair.localId, act: "remove" });
}

/** A rollback may bring a record back: its row comes back where it was archived, else a new row is made. */
async function reviveRow<Transaction>(
  sync: Sync<Transaction>,
  session: Session<Transaction>,
  { pair, application }: { readonly pair: Pair; readonly application: Application<Transaction> },
): Promise<void> {
  const row = await application.table.read(pair.localId, session.transaction);
  if (row === undefined) return createRow(sync, session, { record: pairToRecord(pair), application });
  await application.table.restore?.(pair.localId, session.transaction);
  await createIdStore(session).advance(pair, { removal: "none", known: "{}" });
  const revived = (await createIdStore(session).findByGlobal(pair)) as Pair;
  await updateRow(sync, session, { pair: revived, application });
}

function pairToRecord({ owner, globalId }: Pair): GlobalRef {
  return { owner, globalId };
}

/** An event may be quicker than the answer to the creation that made it. */
async function assertNotOurs<Transaction>(
  session: Session<Transaction>,
  { record, application }: { readonly record: GlobalRef; readonly application: Application<Transaction> },
): Promise<void> {
  const { mapping, payload } = application;
  const ours = pickMapped(mapping, payload);
  for (const intent of await createIntents(session).ofOwner(record.owner)) {
    const isSame =
      intent.table === mapping.tableName && isDeepStrictEqual(pickMapped(mapping, intent.input.payload), ours);
    if (isSame) throw new CreationUnderWay("The platform is creating this record just now.");
  }
}
