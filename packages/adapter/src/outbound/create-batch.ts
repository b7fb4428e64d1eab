import type { Mapping } from "../mapping/mapping.ts";
import { noteChange } from "../state/changes.ts";
import { claimIntents, createIntents, type Intent } from "../state/intents.ts";
import { createIdStore } from "../state/pairs.ts";
import { releasePending } from "../state/pending.ts";
import type { SyncCore } from "../sync/sync.ts";
import { findRefusal, isUnauthorized } from "../sync/vaults.ts";
import { type IntentWithId, isThere, sendBulk } from "./create-with-id.ts";
import { type OwnedRow, rowsToPayloads } from "./row-to-payload.ts";
import { toNewPair } from "./save-pairs.ts";
import { waitForTargets } from "./wait-for-targets.ts";

/**
 * Creates the records of rows of one owner in bulk, each exactly once.
 *
 * The platform chooses the records' ids and commits them with the intents before the vault is asked. After a crash the same ids are
 * sent again, and a record that exists already is the row's. A row that the vault refuses, or whose bulk fails, is noted as changed:
 * it is sent, tried again or parked by itself.
 * In: rows without a record, whose files need no upload. Refuses: the database's errors. Source: decisions V5, A3.
 */
export async function createBatch(sync: SyncCore, mapping: Mapping, rows: readonly OwnedRow[]): Promise<void> {
  const intents = await beginBatch(sync, mapping, rows);
  const created: IntentWithId[] = [];
  const failed: IntentWithId[] = [];
  if (intents.length > 0) {
    try {
      for await (const outcome of sendBulk(sync, mapping, intents)) {
        const intent = intents[outcome.index];
        if (intent !== undefined) (isThere(outcome) ? created : failed).push(intent);
      }
    } catch (error) {
      if (findRefusal(error) === undefined && !isUnauthorized(error)) sync.report(toRetried(mapping, intents, error));
    }
    await saveBatch(sync, mapping, created);
    for (const { table, localId } of created) sync.report({ kind: "sent", table, localId, act: "create" });
  }
  const done = new Set(created.map(({ localId }) => localId));
  await noteAll(sync, mapping, { rows: rows.filter(({ localId }) => !done.has(localId)), refused: failed });
}

function toRetried(mapping: Mapping, intents: readonly Intent[], error: unknown) {
  return { kind: "retried", table: mapping.tableName, localId: intents[0]?.localId ?? "", error } as const;
}

/** Notes the creations of a batch. Out: those that are the caller's, and those that an earlier batch left. */
async function beginBatch(
  sync: SyncCore,
  mapping: Mapping,
  rows: readonly OwnedRow[],
): Promise<readonly IntentWithId[]> {
  const payloads = await rowsToPayloads(sync, mapping, rows);
  const madeAtMs = sync.clock.nowMs();
  const fresh = rows.flatMap(({ owner, localId }, at) => {
    const payload = payloads[at]?.payload;
    const ids = { idempotencyKey: crypto.randomUUID(), globalId: crypto.randomUUID() };
    return payload === undefined
      ? []
      : [{ table: mapping.tableName, localId, owner, input: { payload }, ...ids, madeAtMs }];
  });
  const claimed = await claimIntents(sync.database, fresh);
  const others = rows.filter(({ localId }) => !claimed.has(localId)).map(({ localId }) => localId);
  const begun = await createIntents(sync.database).findMany(mapping.tableName, others);
  for (const [at, { localId }] of rows.entries()) {
    const pending = payloads[at]?.pending ?? [];
    if (claimed.has(localId)) await waitForTargets(sync, { table: mapping.tableName, localId }, pending);
  }
  const owner = rows[0]?.owner;
  const left = begun.filter(
    (intent): intent is IntentWithId => intent.globalId !== undefined && intent.owner === owner,
  );
  return [...fresh.filter(({ localId }) => claimed.has(localId)), ...left];
}

async function saveBatch(sync: SyncCore, mapping: Mapping, created: readonly IntentWithId[]): Promise<void> {
  const nowMs = sync.clock.nowMs();
  const pairs = created.map((intent) => toNewPair(mapping, intent));
  await sync.database.inTransaction(async (session) => {
    await createIdStore(session).saveMany(pairs, nowMs);
    await createIntents(session).removeMany(created);
    await releasePending(session, pairs, nowMs);
  });
}

async function noteAll(
  sync: SyncCore,
  { tableName: table }: Mapping,
  { rows, refused }: { readonly rows: readonly OwnedRow[]; readonly refused: readonly IntentWithId[] },
): Promise<void> {
  if (rows.length === 0) return;
  const nowMs = sync.clock.nowMs();
  await sync.database.inTransaction(async (session) => {
    await createIntents(session).removeMany(refused);
    for (const { localId } of rows) await noteChange(session, { table, localId, nowMs });
  });
}
