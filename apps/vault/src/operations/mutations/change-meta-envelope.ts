import type { Permission } from "@dataspace/access/permission";
import { writesAsGuest } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { findMetaEnvelope, lockMetaEnvelope } from "../../store/meta-envelope-rows.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import { readId } from "../read-id.ts";
import type { WriteDeps } from "../write-deps.ts";
import { findClosedGate } from "./assert-may-create.ts";
import { commitDraft } from "./commit-draft.ts";
import type { Draft } from "./draft.ts";

/** A change of one MetaEnvelope: its id, the required permission, and how to draft it from the current state. */
export interface MetaEnvelopeChange {
  readonly id: string;
  readonly permission: Permission;
  /** Whether a removed MetaEnvelope may be changed too. */
  readonly takesRemoved?: boolean;
  /** Admits a caller without the permission, depending on the MetaEnvelope itself. */
  readonly admits?: (before: StoredMetaEnvelope) => boolean;
  /** The version number is assigned afterwards. */
  readonly draft: (before: StoredMetaEnvelope) => Draft;
}

/** A MetaEnvelope after a change, and whether the caller, who could change it, may read it. */
export interface ChangedMetaEnvelope {
  readonly after: StoredMetaEnvelope;
  readonly readable: boolean;
}

const OPTIMISTIC_ATTEMPTS = 2;

/**
 * Changes a MetaEnvelope; by default only an active one. It reads, asks the guard, drafts and writes. When somebody
 * else wrote in between, it starts again. After two such conflicts it works under the row's lock, where no conflict is
 * possible.
 *
 * The guard decides again each time, on exactly the state that is overwritten.
 * Refuses: UNAUTHENTICATED, NOT_FOUND (absent, removed or not readable), FORBIDDEN, TOKEN_SPENT, QUOTA_EXCEEDED (not
 * for a removal), what `draft` refuses, and the code of a gate that is closed for a new ontology.
 * Source: S1 "States and transitions"; decisions V4, V8, V13.
 */
export async function changeMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  change: MetaEnvelopeChange,
): Promise<ChangedMetaEnvelope> {
  assertAuthenticated(caller);
  const id = readId(change.id);
  for (let attempt = 1; attempt <= OPTIMISTIC_ATTEMPTS; attempt += 1) {
    const before = await assertChangeable(deps, caller, {
      change,
      found: await findMetaEnvelope(deps.store.database, caller.owner, id),
    });
    const draft = await draftChange(deps, caller, { before, change });
    if ((await commitDraft(deps, caller, { before, draft })) === "written") return shownTo(deps, caller, draft.after);
  }
  // The quota may need the owner's lock, and must not wait for it while it holds the row.
  const changed = await deps.store.underOwnerLock(caller.owner, async (transaction) => {
    const found = await lockMetaEnvelope(transaction, caller.owner, id);
    const before = await assertChangeable(deps, caller, { change, found });
    const draft = await draftChange(deps, caller, { before, change });
    if ((await commitDraft(deps, caller, { before, draft, transaction })) === "written") {
      return shownTo(deps, caller, draft.after);
    }
    throw new Error(`the locked MetaEnvelope ${id} was changed by somebody else`);
  });
  deps.announce();
  return changed;
}

/**
 * Finds the MetaEnvelope to change, after the guard has admitted the caller.
 *
 * Refuses: as `changeMetaEnvelope` before it drafts.
 */
export async function findChangeable(
  deps: Pick<WriteDeps, "store" | "guard">,
  caller: Caller,
  change: Omit<MetaEnvelopeChange, "draft">,
): Promise<StoredMetaEnvelope> {
  assertAuthenticated(caller);
  const found = await findMetaEnvelope(deps.store.database, caller.owner, readId(change.id));
  return assertChangeable(deps, caller, { change, found });
}

/** Drafts the change. An evidence session's gates must also admit a new ontology. Source: decision V4. */
async function draftChange(
  { guard }: Pick<WriteDeps, "guard">,
  caller: Caller,
  { before, change }: { readonly before: StoredMetaEnvelope; readonly change: MetaEnvelopeChange },
): Promise<Draft> {
  const draft = advance(caller, before, change.draft(before));
  const closed = findClosedGate(await guard.gatesOf(caller), draft.after.ontology);
  if (closed !== undefined) throw closed;
  return draft;
}

/**
 * Assigns a draft its version, and releases a quarantined MetaEnvelope: only the owner, or a request with the owner's
 * signature, changes one. A guest's MetaEnvelope that the owner writes is the owner's from then on. For subscribers it
 * is then new, and its removal is not reported. Source: decisions I3, V8, V9, V21.
 */
function advance(caller: Caller, before: StoredMetaEnvelope, draft: Draft): Draft {
  const guest = writesAsGuest(caller, before) && (before.guest || before.removed);
  // A record from before versioning becomes version 1, beside this write.
  const after = { ...draft.after, guest, version: Math.max(before.version, 1) + 1 };
  if (!before.quarantined) return { ...draft, after };
  const announced = draft.operation === "delete" ? null : "create";
  return { ...draft, after: { ...after, quarantined: draft.operation === "delete" }, announced };
}

async function assertChangeable(
  { guard }: Pick<WriteDeps, "guard">,
  caller: Caller,
  {
    change,
    found,
  }: { readonly change: Omit<MetaEnvelopeChange, "draft">; readonly found: StoredMetaEnvelope | undefined },
): Promise<StoredMetaEnvelope> {
  const { id, permission, takesRemoved = false, admits } = change;
  if (found === undefined || (found.removed && !takesRemoved)) throw notFound(id);
  if (admits?.(found)) return found;
  const may = await guard.permissionsOn(caller, found);
  if (may(permission)) return found;
  if (!may("READ")) throw notFound(id);
  throw refusal("FORBIDDEN", `This needs the ${permission} permission on the MetaEnvelope; ask its owner.`, "id");
}

async function shownTo({ guard }: WriteDeps, caller: Caller, after: StoredMetaEnvelope): Promise<ChangedMetaEnvelope> {
  const may = await guard.permissionsOn(caller, after);
  return { after, readable: may("READ") };
}

function notFound(id: string) {
  return refusal("NOT_FOUND", `There is no MetaEnvelope ${JSON.stringify(id.slice(0, 128))} here.`, "id");
}
