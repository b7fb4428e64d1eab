import type { EName } from "@dataspace/protocol/ename";
import type { Permission } from "./permission.ts";
import type { Principal } from "./principal.ts";

/** A MetaEnvelope under its legacy array: the owner of its vault, and the array. */
export interface LegacyAccess {
  readonly owner: EName;
  readonly acl: readonly string[];
}

/**
 * Decides by the legacy array: the owner may do everything, a listed eName may read and write, `*` lets every
 * authenticated caller read, and a legacy platform token satisfies this path. So does an evidence session, where the
 * two gates admit it.
 *
 * Out: true to allow. Refuses: never; what is not allowed is denied.
 * Source: S1 "Legacy array meanings", "Platform token"; decision V12.
 */
export function decideByLegacyAcl(access: LegacyAccess, principal: Principal, permission: Permission): boolean {
  switch (principal.kind) {
    case "anonymous":
      return false;
    case "platform":
      return true;
    case "legacy-platform":
      return permission === "READ" || principal.writes;
    case "person":
      if (principal.ename === access.owner || access.acl.includes(principal.ename)) return true;
      return permission === "READ" && access.acl.includes("*");
  }
}
