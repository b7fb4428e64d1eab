import { decideByLegacyAcl } from "@dataspace/access/decide-by-legacy-acl";
import type { Permission } from "@dataspace/access/permission";
import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";

/** What decides over one MetaEnvelope: whose it is, and the policy it carries. */
export interface Guarded {
  readonly owner: EName;
  readonly acl: readonly string[];
  readonly aclBlock: string | null;
  readonly quarantined: boolean;
}

/**
 * The one question every operation asks about a MetaEnvelope: may this principal do this with it?
 *
 * A MetaEnvelope with `_acl` is decided by it alone, never by its array. One that an anonymous caller left is the owner's
 * alone until the owner has touched it.
 *
 * Out: true to allow. Refuses: never. Source: S1 "Access guard"; decisions I3, V11, V12.
 */
export function isAllowed(guarded: Guarded, principal: Principal, permission: Permission): boolean {
  if (guarded.aclBlock !== null) return false;
  if (guarded.quarantined && !isOwner(guarded.owner, principal)) return false;
  return decideByLegacyAcl(guarded, principal, permission);
}

/**
 * Tells whether a principal may create a MetaEnvelope in an owner's vault: the owner, or a legacy platform token that may write.
 *
 * Source: S1 "States and transitions" (CREATE permission); decision V12.
 */
export function mayCreate(owner: EName, principal: Principal): boolean {
  return isOwner(owner, principal) || (principal.kind === "legacy-platform" && principal.writes);
}

/** Tells whether a principal is the owner itself. An evidence session or platform token never is. Source: decision V12. */
export function isOwner(owner: EName, principal: Principal): boolean {
  return principal.kind === "person" && principal.ename === owner;
}
