import type { Mapping } from "../mapping/mapping.ts";
import { type Change, noteChange } from "../state/changes.ts";
import { claimIntents, createIntents, type Intent } from "../state/intents.ts";
import type { SyncCore } from "../sync/sync.ts";
import { findRefusal, isUnauthorized } from "../sync/vaults.ts";
import { createWithId } from "./create-with-id.ts";
import { findCreated } from "./find-created.ts";
import { participantsOf } from "./participants.ts";
import { savePairs } from "./save-pairs.ts";

/** How long a vault surely remembers an Idempotency-Key, less an hour (decision V20). */
const KEY_LIVES_MS = 23 * 3_600_000;

/** What is to be created. */
export interface Creation {
  readonly owner: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Another process is creating the record of this row. */
class CreationElsewhere extends Error {
  readonly code = "CREATION_ELSEWHERE";
}

interface Begun {
  readonly change: Change;
  readonly intent: Intent;
}

/**
 * Creates the record of a row exactly once, whatever is interrupted and however many processes try.
 *
 * The intent is committed before the vault is asked. After a crash the same request is sent again under the same Idempotency-Key.
 * Where that is too old, the vault is asked whether the record is there. A row that changed since then is sent as an update later.
 * Refuses: the vault's errors, after a refusal without the intent; CREATION_ELSEWHERE. Source: S3 outbound rule 3; decision V20.
 */
export async function createRecord(
  sync: SyncCore,
  mapping: Mapping,
  { change, creation }: { readonly change: Change; readonly creation: Creation | undefined },
): Promise<void> {
  const intent = await createIntents(sync.database).find(change);
  if (intent !== undefined) return finish(sync, mapping, { change, intent, creation });
  if (creation === undefined) return;
  const fresh = toIntent(sync, change, creation);
  const claimed = await claimIntents(sync.database, [fresh]);
  if (!claimed.has(change.localId)) throw new CreationElsewhere("Another process is creating this record.");
  try {
    await complete(sync, mapping, { change, intent: fresh, globalId: await send(sync, mapping, fresh) });
  } catch (error) {
    // Nothing was created: the next attempt begins with the row as it is then.
    if (findRefusal(error) !== undefined) await createIntents(sync.database).remove(fresh);
    throw error;
  }
}

/** Ends a creation that an earlier attempt began: its request may or may not have reached the vault. */
async function finish(
  sync: SyncCore,
  mapping: Mapping,
  { change, intent, creation }: Begun & { readonly creation: Creation | undefined },
): Promise<void> {
  const isOwnersStill = creation === undefined || creation.owner === intent.owner;
  const globalId = isOwnersStill
    ? await repeat(sync, mapping, intent)
    : // The row changed hands: nothing more goes to the former owner's vault.
      await findCreated(sync, mapping, intent);
  if (globalId === undefined) await createIntents(sync.database).remove(intent);
  else await complete(sync, mapping, { change, intent, globalId });
  // The row may have changed since the creation began.
  await noteChange(sync.database, { table: change.table, localId: change.localId, nowMs: sync.clock.nowMs() });
}

/** Out: undefined where the record is not there and the vault refuses to create it, so that the creation starts again. */
async function repeat(sync: SyncCore, mapping: Mapping, intent: Intent): Promise<string | undefined> {
  const isFresh = sync.clock.nowMs() - intent.madeAtMs <= KEY_LIVES_MS;
  try {
    if (isFresh || intent.globalId !== undefined) return await send(sync, mapping, intent);
    const found = await findCreated(sync, mapping, intent);
    if (found !== undefined) return found;
    const renewed = { ...intent, idempotencyKey: crypto.randomUUID(), madeAtMs: sync.clock.nowMs() };
    await createIntents(sync.database).renew(renewed);
    return await send(sync, mapping, renewed);
  } catch (error) {
    // A vault takes no bulk without a token, but may take a single record.
    const isRefused = findRefusal(error) !== undefined || (intent.globalId !== undefined && isUnauthorized(error));
    if (!isRefused) throw error;
    return findCreated(sync, mapping, intent);
  }
}

async function send(sync: SyncCore, mapping: Mapping, intent: Intent): Promise<string> {
  if (intent.globalId !== undefined) return createWithId(sync, mapping, { ...intent, globalId: intent.globalId });
  const input = { ontology: mapping.schemaId, ...intent.input };
  const { id } = await sync.vaults.vault(intent.owner).create(input, { idempotencyKey: intent.idempotencyKey });
  return id;
}

async function complete(
  sync: SyncCore,
  mapping: Mapping,
  { change, intent, globalId }: Begun & { readonly globalId: string },
): Promise<void> {
  const participants = participantsOf(change, intent.owner);
  await savePairs(sync, mapping, [{ intent, globalId, participants }]);
  sync.report({ kind: "sent", table: change.table, localId: change.localId, act: "create" });
}

function toIntent(sync: SyncCore, change: Change, { owner, payload }: Creation): Intent {
  const others = participantsOf(change, owner);
  const input = others.length === 0 ? { payload } : { payload, acl: [owner, ...others] };
  const madeAtMs = sync.clock.nowMs();
  const { table, localId } = change;
  return { table, localId, owner, input, idempotencyKey: crypto.randomUUID(), globalId: undefined, madeAtMs };
}
