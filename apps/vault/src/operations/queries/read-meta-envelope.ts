import type { Caller } from "../../caller/caller.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { ReadDeps } from "../read-deps.ts";
import { readId } from "../read-id.ts";

/**
 * Reads one MetaEnvelope.
 *
 * Out: null where it does not exist, is removed, or the caller may not read it; all three look the same.
 * Refuses: UNAUTHENTICATED, INVALID_TEXT, RESULT_TOO_LARGE, BUSY. Source: S1 "metaEnvelope"; decision V13.
 */
export async function readMetaEnvelope(
  { loadMetaEnvelope, guard, budget }: Pick<ReadDeps, "loadMetaEnvelope" | "guard" | "budget">,
  caller: Caller,
  id: string,
): Promise<VisibleMetaEnvelope | null> {
  assertAuthenticated(caller);
  const found = await loadMetaEnvelope(caller.owner, readId(id));
  if (found === undefined || found.removed) return null;
  if (!(await guard.permissionsOn(caller, found))("READ")) return null;
  await guard.noteAccess(caller, "read", [found.ontology]);
  budget.take(Buffer.byteLength(found.payloadText));
  return found;
}
