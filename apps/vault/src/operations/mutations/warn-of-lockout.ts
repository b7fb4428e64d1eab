import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import type { StoredMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { WriteDeps } from "../write-deps.ts";

/**
 * Warns the owner when a new policy leaves the owner without READ or UPDATE. An unchanged policy is not new.
 *
 * Refuses: never. Source: decision V22.
 */
export async function warnOfLockout(
  { guard, warn }: Pick<WriteDeps, "guard" | "warn">,
  caller: Caller,
  { before, after }: { readonly before: StoredMetaEnvelope | undefined; readonly after: StoredMetaEnvelope },
): Promise<void> {
  const { id, aclBlock } = after;
  const isNew = aclBlock !== null && aclBlock !== before?.aclBlock;
  if (!isNew || !isOwner(caller.owner, caller.principal)) return;
  // An asserted eName narrows this request, not the owner.
  const owner = caller.onBehalfOf === null ? caller : { ...caller, onBehalfOf: null };
  const may = await guard.permissionsOn(owner, after);
  if (may("READ") && may("UPDATE")) return;
  const message = "The new policy leaves the owner without READ or UPDATE; the owner can still replace it.";
  warn({ code: "OWNER_LOCKED_OUT", id, message });
}
