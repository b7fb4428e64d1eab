import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import type { Caller } from "../caller/caller.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";

/** Checks whether a principal is the owner. An evidence session or platform token never is. Source: decision V12. */
export function isOwner(owner: EName, principal: Principal): boolean {
  return principal.kind === "person" && principal.ename === owner;
}

/**
 * Checks whether a principal may create any MetaEnvelope in an owner's vault: the owner, or a legacy platform token
 * that may write. The gates decide what an evidence session may create.
 *
 * Source: S1 "States and transitions" (CREATE permission); decision V12.
 */
export function mayCreate(owner: EName, principal: Principal): boolean {
  return isOwner(owner, principal) || (principal.kind === "legacy-platform" && principal.writes);
}

/**
 * Checks whether a caller writes as a guest, that is, without the owner's grant. Whoever is not the
 * owner is a guest when it creates a MetaEnvelope or writes a guest's. A legacy platform token is also a guest on a
 * MetaEnvelope without `_acl`. An
 * evidence session has passed the owner's access policy, which is the owner's grant. In a vault that never had a key, such
 * as a group's, platforms write what is its own. In: `before` is undefined at creation.
 *
 * Source: decisions V21, A2.
 */
export function writesAsGuest(
  { owner, principal, isVaultKeyless }: Pick<Caller, "owner" | "principal" | "isVaultKeyless">,
  before: Pick<StoredMetaEnvelope, "guest" | "aclBlock"> | undefined,
): boolean {
  if (isOwner(owner, principal) || principal.kind === "platform") return false;
  if (isVaultKeyless === true && principal.kind === "legacy-platform") return false;
  if (before === undefined || before.guest) return true;
  return principal.kind !== "person" && before.aclBlock === null;
}
