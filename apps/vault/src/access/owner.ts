import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";

/** Tells whether a principal is the owner itself. An evidence session or platform token never is. Source: decision V12. */
export function isOwner(owner: EName, principal: Principal): boolean {
  return principal.kind === "person" && principal.ename === owner;
}

/**
 * Tells whether a principal may create a MetaEnvelope in an owner's vault: the owner, or a legacy platform token that may write.
 *
 * Source: S1 "States and transitions" (CREATE permission); decision V12.
 */
export function mayCreate(owner: EName, principal: Principal): boolean {
  return isOwner(owner, principal) || (principal.kind === "legacy-platform" && principal.writes);
}
