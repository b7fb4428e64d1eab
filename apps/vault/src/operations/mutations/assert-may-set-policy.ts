import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { ReadMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { WriteDeps } from "../write-deps.ts";

/**
 * Refuses a policy at creation from whoever could lock the owner out with it: anybody but the owner, and an evidence session unless the
 * policy gives the owner every permission.
 *
 * Refuses: FORBIDDEN on `_acl`. Source: decision V22.
 */
export async function assertMaySetPolicy(
  { guard }: Pick<WriteDeps, "guard">,
  { owner, principal }: Pick<Caller, "owner" | "principal">,
  { aclBlock }: Pick<ReadMetaEnvelopeInput, "aclBlock">,
): Promise<void> {
  if (aclBlock == null || isOwner(owner, principal)) return;
  if (principal.kind !== "platform") {
    throw refusal("FORBIDDEN", "Only the owner of this vault sets a policy; leave _acl out.", "_acl");
  }
  if (await guard.grantsOwnerAll(owner, aclBlock)) return;
  const message = "A platform sets a policy only where it gives the owner every permission; grant the owner 15.";
  throw refusal("FORBIDDEN", message, "_acl");
}
