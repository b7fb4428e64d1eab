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

/** A change of one MetaEnvelope: which, the permission it needs, and how it is drafted from the present state. */
export interface MetaEnvelopeChange {
  readonly id: string;
  readonly permission: Permission;
  /** Whether a removed MetaEnvelope may be changed too. */
  readonly takesRemoved?: boolean;
  /** Whom the change is open to without the permission, as the MetaEnvelope itself has it. */
  readonly admits?: (before: StoredMetaEnvelope) => boolean;
  /** Its version is given to it afterwards. */
  readonly draft: (before: StoredMetaEnvelope) => Draft;
}

/** A MetaEnvelope after a change, and whether the caller, who could change it, may read it. */
export interface ChangedMetaEnvelope {
  readonly after: StoredMetaEnvelope;
  readonly readable: boolean;
}

const OPTIMISTIC_ATTEMPTS = 2;

/**
 * Changes a MetaEnvelope, an active one unless told otherwise: read, ask the guard, draft, write; all again when somebody else
 * wrote in between, and after two such conflicts under the row's lock, where none can.
 *
 * The guard is asked anew each time, on the very state that is written over.
 * Refuses: UNAUTHENTICATED, NOT_FOUND (absent, removed or not readable), FORBIDDEN,
 * TOKEN_SPENT, QUOTA_EXCEEDED (not for a removal), what `draft` refuses, and the code of a gate that is closed for a new ontology.
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
      found: await findMetaEnvelope(deps.database, caller.owner, id),
    });
    const draft = await draftChange(deps, caller, { before, change });
    if ((await commitDraft(deps, caller, { before, draft })) === "written") return shownTo(deps, caller, draft.after);
  }
  // The quota may need the owner's lock, and must not wait for it while it holds the row.
  const changed = await deps.underOwnerLock(caller.owner, async (transaction) => {
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
 * Finds the MetaEnvelope that a change is to be made from, once the guard has let the caller through.
 *
 * Refuses: as `changeMetaEnvelope` before it drafts.
 */
export async function findChangeable(
  deps: Pick<WriteDeps, "database" | "guard">,
  caller: Caller,
  change: Omit<MetaEnvelopeChange, "draft">,
): Promise<StoredMetaEnvelope> {
  assertAuthenticated(caller);
  const found = await findMetaEnvelope(deps.database, caller.owner, readId(change.id));
  return assertChangeable(deps, caller, { change, found });
}

/** Drafts the change; another ontology than before is one that the gates of an evidence session must be open for too. Source: decision V4. */
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
 * Gives a draft its version, and releases a quarantined MetaEnvelope: only the owner, or a request with the signature of the
 * owner, changes one. A guest's MetaEnvelope that the owner writes is the owner's from then on. To its subscribers it is new then, and a removal is nothing they need to know of. Source: decisions I3, V8, V9, V21.
 */
function advance(caller: Caller, before: StoredMetaEnvelope, draft: Draft): Draft {
  const guest = writesAsGuest(caller, before) && (before.guest || before.removed);
  // What was written before versioning becomes version 1 beside this write.
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
