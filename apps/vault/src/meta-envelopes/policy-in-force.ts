import { legacyAclAsPolicy } from "@dataspace/access/legacy-acl-as-policy";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { VisibleMetaEnvelope } from "./stored-meta-envelope.ts";

/**
 * Returns the access rules of a MetaEnvelope as a policy: its own, or the equivalent of its legacy array; for a
 * quarantined MetaEnvelope, the owner alone.
 *
 * Source: S1 "Access guard" step 3; decision V11.
 */
export function policyInForce(owner: EName, { acl, aclBlock, quarantined }: VisibleMetaEnvelope): AccessPolicy {
  if (aclBlock !== null) return JSON.parse(aclBlock) as AccessPolicy;
  return legacyAclAsPolicy({ owner, acl: quarantined ? [owner] : acl });
}
