import type { EName } from "@dataspace/protocol/ename";
import { refusal } from "../errors.ts";
import type { ReadMetaEnvelopeInput } from "./meta-envelope-input.ts";
import type { StoredMetaEnvelope } from "./stored-meta-envelope.ts";

/** The access rules of a MetaEnvelope: its policy or its array. */
export type Access = Pick<StoredMetaEnvelope, "acl" | "aclBlock">;

type AccessInput = Pick<ReadMetaEnvelopeInput, "acl" | "aclBlock">;

/**
 * Changes the access rules of a MetaEnvelope as its owner asks: a policy replaces the previous rules, an omitted one
 * stays, and null removes it in favour of the array that must come with it. Under a policy the stored array is the
 * owner's alone.
 *
 * Refuses: INVALID_ACL for a removal without the new array. Source: decisions V4, V11, V22.
 */
export function changeOwnerAccess(
  before: Access,
  { acl, aclBlock = before.aclBlock }: AccessInput,
  owner: EName,
): Access {
  if (aclBlock !== null) return { acl: [owner], aclBlock };
  if (before.aclBlock === null) return { acl: acl ?? before.acl, aclBlock };
  if (acl !== undefined) return { acl, aclBlock };
  throw refusal("INVALID_ACL", "To remove the policy send, beside _acl null, the acl that is to decide then.", "_acl");
}

/**
 * Leaves the access rules of a MetaEnvelope unchanged, for anybody but the owner. An array is ignored, since platforms
 * send one with every update, and so is the policy that is already in force.
 *
 * Refuses: ACL_CHANGE_FORBIDDEN for any other policy. Source: decision V22.
 */
export function keepAccess({ acl, aclBlock }: Access, input: AccessInput): Access {
  if (input.aclBlock === undefined || input.aclBlock === aclBlock) return { acl, aclBlock };
  throw refusal("ACL_CHANGE_FORBIDDEN", "Only the owner changes the policy; leave _acl out.", "_acl");
}
