import { type GroupStatement, isSelfManifest, nextGroupStatement } from "@dataspace/access/facts/group-statement";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { findGroupStatement, findGroupStatementOfVersion, isWrittenByOwnerAlone } from "../../store/group-rows.ts";
import { listKeysInForce } from "../../store/key-rows.ts";
import type { Draft } from "./draft.ts";

/** Of a record with more versions it is not looked up who wrote them; only what the owner writes now counts. */
const MOST_VERSIONS_READ = 1_000;

/** A write that is about to be committed: the record before, undefined at creation, and its draft. */
interface DraftedWrite {
  readonly before: StoredMetaEnvelope | undefined;
  readonly draft: Draft;
}

/**
 * Computes what a write states about the group that the vault's owner is, where it creates, changes or removes a
 * self-manifest, or turns another record into or out of one. Every write passes through this function.
 *
 * Out: undefined for a write that affects none; null where the record states nothing about members from now on.
 * Refuses: FORBIDDEN for anybody but the owner, in a vault that has a key. Source: decision V23.
 */
export async function draftGroupStatement(
  database: Queryable,
  { owner, principal }: Pick<Caller, "owner" | "principal">,
  { before, draft }: DraftedWrite,
): Promise<GroupStatement | null | undefined> {
  const { after, payload, written, restoredFrom } = draft;
  const wasManifest = before !== undefined && isManifest(owner, before);
  const isNow = !after.removed && isSelfManifest(owner, after.ontology, () => payload);
  if (!wasManifest && !isNow) return undefined;
  const byOwner = isOwner(owner, principal);
  if (!byOwner) await assertKeyless(database, owner);
  const record = { owner, id: after.id };
  const known = before && (await findGroupStatement(database, { ...record, version: before.version }));
  // What others write while the record states nothing about members does not count as the owner's.
  const previous = known && !wasManifest ? { ...known, granted: {} } : known;
  if (byOwner && isNow && restoredFrom !== undefined) {
    const restored = await findGroupStatementOfVersion(database, { ...record, version: restoredFrom });
    if (restored !== undefined) return { ...restored, byOwner };
  }
  const becomesManifest = byOwner && isNow && !wasManifest && before !== undefined;
  const isOwnersWhole =
    becomesManifest && before.version <= MOST_VERSIONS_READ && (await isWrittenByOwnerAlone(database, record));
  const fields = isOwnersWhole ? undefined : restoredFrom === undefined || !byOwner ? written : [];
  return nextGroupStatement(previous, { byOwner, payload, isManifest: isNow, written: fields }) ?? null;
}

/** Refuses a self-manifest from anybody but the owner, once the vault has a key: FORBIDDEN. Source: decision V23. */
async function assertKeyless(database: Queryable, owner: EName): Promise<void> {
  if ((await listKeysInForce(database, owner)).length === 0) return;
  throw refusal(
    "FORBIDDEN",
    "Only the owner of this vault creates, changes or removes the record that says who its members are.",
  );
}

function isManifest(owner: EName, { ontology, payloadText }: StoredMetaEnvelope): boolean {
  return isSelfManifest(owner, ontology, () => JSON.parse(payloadText) as Payload);
}
