import { setImmediate as turn } from "node:timers/promises";
import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { Gates } from "../../access/gates.ts";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import {
  changesOwnerPolicy,
  type MetaEnvelopeInput,
  readMetaEnvelopeInput,
} from "../../meta-envelopes/meta-envelope-input.ts";
import { readNewId } from "../../meta-envelopes/new-id.ts";
import { type Payload, payloadToText } from "../../meta-envelopes/payload.ts";
import { type Creation, commitBulk } from "../../store/commit-bulk.ts";
import { toQuotaItem } from "../../store/quota-item.ts";
import { ontologiesOf } from "../queries/list-meta-envelopes.ts";
import type { WriteDeps } from "../write-deps.ts";
import { findCreateRefusal } from "./assert-may-create.ts";
import { assertMaySetPolicy } from "./assert-may-set-policy.ts";
import { draftToChange, quotaExceeded, tokenSpent } from "./commit-draft.ts";
import { draftInsertion } from "./draft.ts";
import { draftGroupStatement } from "./draft-group-statement.ts";
import { warnOfLockout } from "./warn-of-lockout.ts";

/** One MetaEnvelope of a bulk. A given `id` is used unchanged, for migrations. */
export interface BulkItem extends MetaEnvelopeInput {
  readonly id?: string | null;
}

/** The result of one item, in the given order; `error` begins with its code. */
export interface BulkItemResult {
  readonly id: string;
  readonly success: boolean;
  readonly error: string | null;
}

/** The result of a bulk. */
export interface BulkResult {
  readonly results: readonly BulkItemResult[];
  readonly successCount: number;
  readonly errorCount: number;
}

const MAX_ITEMS = 1_000;
const ITEMS_AT_ONCE = 100;

/**
 * Creates many MetaEnvelopes, each by itself: a refused item does not affect the others, and a written item is written
 * with its event. Between parts of the bulk the process serves other requests. With `skipWebhooks` a platform that migrates
 * writes the items with suppressed events, which are never delivered; from others it has no effect.
 *
 * Refuses as a whole: UNAUTHENTICATED (no bearer token), BULK_TOO_LARGE, TOKEN_SPENT. Refuses an item: as `findCreateRefusal`, INVALID_ID,
 * INVALID_ACCESS_POLICY (an access policy, which createMetaEnvelope takes), ID_EXISTS, QUOTA_EXCEEDED, and what `readMetaEnvelopeInput` refuses.
 * Source: S1 "bulkCreateMetaEnvelopes"; decisions V5, V21.
 */
export async function bulkCreateMetaEnvelopes(
  deps: WriteDeps,
  caller: Caller,
  { inputs: items, skipWebhooks }: { readonly inputs: readonly BulkItem[]; readonly skipWebhooks: boolean },
): Promise<BulkResult> {
  if (caller.credential === "anonymous" || caller.credential === "asserted") {
    throw refusal("UNAUTHENTICATED", "A bulk needs Authorization: Bearer with a wallet or platform token.");
  }
  if (items.length > MAX_ITEMS) {
    throw refusal("BULK_TOO_LARGE", `A bulk has at most ${MAX_ITEMS} items; send the rest in further ones.`, "inputs");
  }
  const taken = new Set<string>();
  const gates = await deps.guard.gatesOf(caller);
  const suppressed = skipWebhooks && caller.migrates === true;
  const results: BulkItemResult[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    if (from > 0) await turn();
    const stretch = items.slice(from, from + ITEMS_AT_ONCE);
    results.push(...(await createStretch(deps, caller, { items: stretch, taken, gates, suppressed })));
  }
  const successCount = results.filter(({ success }) => success).length;
  return { results, successCount, errorCount: results.length - successCount };
}

type ReadItem = { readonly id: string } & (
  | { readonly refused: Refusal }
  | {
      readonly payload: Payload;
      readonly input: ReturnType<typeof readMetaEnvelopeInput>;
      readonly payloadText: string;
    }
);

async function createStretch(
  deps: WriteDeps,
  caller: Caller,
  {
    items,
    suppressed,
    ...reading
  }: {
    readonly items: readonly BulkItem[];
    readonly taken: Set<string>;
    readonly gates: Gates | undefined;
    readonly suppressed: boolean;
  },
): Promise<readonly BulkItemResult[]> {
  const read: ReadItem[] = [];
  // One after the other: an id that one item takes is refused to the next.
  for (const item of items) read.push(await readItem(deps, caller, { ...reading, item }));
  const drafted = await Promise.all(read.map((item) => draftCreation(deps, caller, item)));
  const creations = drafted.flatMap(({ creation }) => creation ?? []);
  const at = creations[0]?.change.at as string;
  const sameTime = creations.map((creation) => ({ ...creation, change: { ...creation.change, at } }));
  await deps.guard.noteAccess(caller, "write", ontologiesOf(creations.map(({ change }) => change.after)));
  const { written, over } = await commitWithinQuota(deps, caller, { creations: sameTime, suppressed });
  for (const { change } of sameTime) {
    if (written.has(change.after.id)) await warnOfLockout(deps, caller, change);
  }
  return drafted.map(({ item }) => toResult(item, written, over));
}

async function draftCreation(
  deps: WriteDeps,
  caller: Caller,
  item: ReadItem,
): Promise<{ readonly item: ReadItem; readonly creation?: Creation }> {
  if ("refused" in item) return { item };
  const draft = draftInsertion(deps.ids, caller, { ...item, quarantined: false });
  try {
    const groupStatement =
      (await draftGroupStatement(deps.store.database, caller, { before: undefined, draft })) ?? undefined;
    const change = draftToChange(deps, caller, { before: undefined, draft });
    return { item, creation: { change, payload: item.payload, groupStatement } };
  } catch (error) {
    if (error instanceof Refusal) return { item: { id: item.id, refused: error } };
    throw error;
  }
}

async function commitWithinQuota(
  { store, announce }: WriteDeps,
  caller: Caller,
  { creations, suppressed }: { readonly creations: readonly Creation[]; readonly suppressed: boolean },
): Promise<{ readonly written: ReadonlySet<string>; readonly over: ReadonlyMap<string, Refusal> }> {
  if (creations.length === 0) return { written: new Set(), over: new Map() };
  const { owner, tokenUse } = caller;
  const guest = writesAsGuest(caller, undefined);
  const items = creations.map(({ change }) => toQuotaItem(change));
  const { database, underOwnerLock } = store;
  const outcome = await store.withinQuota({ database, underOwnerLock, owner, guest, items }, async (on, granted) => {
    const over = new Map(creations.slice(granted).map(({ change }) => [change.after.id, quotaExceeded(guest)]));
    if (granted === 0) return { written: new Set<string>(), over };
    const toCommit = { creations: creations.slice(0, granted), suppressed, tokenUse };
    const commit = (traceparent: string | null) => commitBulk(on, { ...toCommit, traceparent });
    const written = await (store.traceCommit === undefined ? commit(null) : store.traceCommit(commit));
    if (written === "token-spent") throw tokenSpent();
    return { written, over };
  });
  announce();
  return outcome;
}

async function readItem(
  deps: WriteDeps,
  caller: Caller,
  { item, taken, gates }: { readonly item: BulkItem; readonly taken: Set<string>; readonly gates: Gates | undefined },
): Promise<ReadItem> {
  try {
    const refused = findCreateRefusal(caller, item.ontology, gates);
    if (refused !== undefined) throw refused;
    const id = item.id == null ? deps.ids.newUuid() : readNewId(item.id);
    const input = readMetaEnvelopeInput(item);
    await assertMaySetPolicy(deps, caller, input);
    if (input.ontology === ACCESS_POLICY_ONTOLOGY) throw changesOwnerPolicy();
    const payloadText = payloadToText(input.payload);
    if (taken.has(id)) throw idExists(id);
    taken.add(id);
    return { id, payload: input.payload, input, payloadText };
  } catch (error) {
    if (error instanceof Refusal) return { id: item.id ?? "unknown", refused: error };
    throw error;
  }
}

function toResult(item: ReadItem, written: ReadonlySet<string>, over: ReadonlyMap<string, Refusal>): BulkItemResult {
  const refused = refusalOf(item, written, over);
  const error = refused === undefined ? null : `${refused.code}: ${refused.message}`;
  return { id: item.id, success: refused === undefined, error };
}

function refusalOf(
  item: ReadItem,
  written: ReadonlySet<string>,
  over: ReadonlyMap<string, Refusal>,
): Refusal | undefined {
  if ("refused" in item) return item.refused;
  return over.get(item.id) ?? (written.has(item.id) ? undefined : idExists(item.id));
}

function idExists(id: string): Refusal {
  return refusal("ID_EXISTS", `The owner has, or had, a MetaEnvelope ${id}; nothing was overwritten.`, "id");
}
