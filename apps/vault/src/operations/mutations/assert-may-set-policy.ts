import { isOwner } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { ReadMetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";

/**
 * Refuses a policy at creation from anybody but the owner, who could otherwise not read, count or remove the record.
 *
 * Refuses: FORBIDDEN on `_acl`. Source: decision V22.
 */
export function assertMaySetPolicy(
  { owner, principal }: Pick<Caller, "owner" | "principal">,
  { aclBlock }: Pick<ReadMetaEnvelopeInput, "aclBlock">,
): void {
  if (aclBlock == null || isOwner(owner, principal)) return;
  throw refusal("FORBIDDEN", "Only the owner of this vault sets a policy; leave _acl out.", "_acl");
}
