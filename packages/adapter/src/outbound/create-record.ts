import { isDeepStrictEqual } from "node:util";
import { parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { Mapping } from "../mapping/mapping.ts";
import { type Change, noteChange } from "../state/changes.ts";
import { createIntents, type Intent } from "../state/intents.ts";
import { createIdStore, type GlobalRef } from "../state/pairs.ts";
import { releasePending } from "../state/pending.ts";
import { createReferences } from "../state/references.ts";
import { pickMapped } from "../sync/payload-fields.ts";
import type { SyncCore } from "../sync/sync.ts";

/** How long a vault surely remembers an Idempotency-Key, less an hour (decision V20). */
const KEY_LIVES_MS = 23 * 3_600_000;
/** How many of the newest records are compared when a creation of yesterday may have happened. */
const MOST_COMPARED = 10_000;

/** What is to be created. */
export interface Creation {
  readonly owner: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Creates the record of a row exactly once, whatever is interrupted.
 *
 * The intent is committed before the vault is asked. After a crash the same request is sent again under the same Idempotency-Key.
 * Where that is too old, the vault is asked whether the record is there. A row that changed since then is sent as an update later.
 * Refuses: the vault's errors. Source: S3 outbound rule 3; decision V20.
 */
export async function createRecord(
  sync: SyncCore,
  mapping: Mapping,
  { change, creation }: { readonly change: Change; readonly creation: Creation | undefined },
): Promise<void> {
  const intents = createIntents(sync.database);
  const begun = await intents.find(change);
  const intent = begun ?? (creation && toIntent(sync, change, creation));
  if (intent === undefined) return;
  if (begun === undefined) await intents.save(intent);
  const payload = JSON.parse(intent.payload);
  const globalId =
    (await findCreated(sync, mapping, intent)) ?? (await sendCreation(sync, mapping, { change, intent, payload }));
  await savePair(sync, mapping, { change, owner: intent.owner, globalId, payload });
  sync.report({ kind: "sent", table: change.table, localId: change.localId, act: "create" });
  // What was sent is what the row was when the creation began.
  if (begun !== undefined) await noteChange(sync.database, { ...refOf(change), nowMs: sync.clock.nowMs() });
}

function toIntent(sync: SyncCore, change: Change, { owner, payload }: Creation): Intent {
  const madeAtMs = sync.clock.nowMs();
  return { ...refOf(change), owner, payload: JSON.stringify(payload), idempotencyKey: crypto.randomUUID(), madeAtMs };
}

function refOf({ table, localId }: Change): { readonly table: string; readonly localId: string } {
  return { table, localId };
}

async function sendCreation(
  sync: SyncCore,
  mapping: Mapping,
  {
    change,
    intent,
    payload,
  }: { readonly change: Change; readonly intent: Intent; readonly payload: Creation["payload"] },
): Promise<string> {
  const fresh = sync.clock.nowMs() - intent.madeAtMs <= KEY_LIVES_MS;
  const current = fresh ? intent : { ...intent, idempotencyKey: crypto.randomUUID(), madeAtMs: sync.clock.nowMs() };
  if (!fresh) await createIntents(sync.database).save(current);
  const others = participantsOf(change, intent.owner);
  const acl = others.length === 0 ? {} : { acl: [intent.owner, ...others] };
  const input = { ontology: mapping.schemaId, payload, ...acl };
  const { id } = await sync.vaults.vault(intent.owner).create(input, { idempotencyKey: current.idempotencyKey });
  return id;
}

async function findCreated(sync: SyncCore, mapping: Mapping, intent: Intent): Promise<string | undefined> {
  if (sync.clock.nowMs() - intent.madeAtMs <= KEY_LIVES_MS) return undefined;
  const payload: unknown = JSON.parse(intent.payload);
  const pairs = createIdStore(sync.database);
  let compared = 0;
  const records = sync.vaults.vault(intent.owner).list({ ontologyId: mapping.schemaId }, { newestFirst: true });
  for await (const { id, parsed } of records) {
    compared += 1;
    const isSame = isDeepStrictEqual(parsed, payload);
    if (isSame && (await pairs.findByGlobal({ owner: intent.owner, globalId: id })) === undefined) return id;
    if (compared === MOST_COMPARED) break;
  }
  return undefined;
}

interface Created extends GlobalRef {
  readonly change: Change;
  readonly payload: Creation["payload"];
}

async function savePair(
  sync: SyncCore,
  mapping: Mapping,
  { change, owner, globalId, payload }: Created,
): Promise<void> {
  const pair = { ...refOf(change), owner, globalId, known: JSON.stringify(pickMapped(mapping, payload)) };
  await sync.database.inTransaction(async (session) => {
    await createIdStore(session).save({ ...pair, held: [], hasOwnWrites: false, removal: "none" });
    await createIntents(session).remove(change);
    await createReferences(session).want(change, participantsOf(change, owner));
    await releasePending(session, pair, sync.clock.nowMs());
  });
}

/**
 * Stores the references to a record in the vaults of its participants, each once.
 *
 * Refuses: the vaults' errors; those that are stored stay. Source: S3 outbound rule 3.
 */
export async function sendReferences(sync: SyncCore, change: Change, { owner, globalId }: GlobalRef): Promise<void> {
  const references = createReferences(sync.database);
  await references.want(change, participantsOf(change, owner));
  for (const reference of await references.open(change)) {
    const { participant, idempotencyKey } = reference;
    const payload = { _by_reference: `${owner}/${globalId}` };
    const input = { ontology: ONTOLOGY_ID.Reference, payload, acl: ["*"] };
    const { id } = await sync.vaults.vault(participant).create(input, { idempotencyKey });
    await references.settle(reference, id);
  }
}

/** The eNames beside the owner, each once; what is not an eName is passed over. */
function participantsOf({ participants }: Change, owner: string): readonly string[] {
  const enames = participants.flatMap((participant) => {
    try {
      return [parseEName(participant)];
    } catch {
      return [];
    }
  });
  return [...new Set<string>(enames)].filter((ename) => ename !== owner);
}
