import { isEName } from "@dataspace/protocol/ename";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { LegacyAccess } from "./decide-by-legacy-acl.ts";
import { PERMISSIONS } from "./permission.ts";

const ALL = PERMISSIONS.READ | PERMISSIONS.CREATE | PERMISSIONS.UPDATE | PERMISSIONS.DELETE;

/**
 * Writes a legacy array as a policy, for responses, which never contain the array.
 *
 * The result is for display; decisions use `decideByLegacyAcl`. For persons both agree. A legacy platform token
 * satisfies an array but no policy. `*` becomes a group that every authenticated asker passes, so an eName that is also
 * listed retains all permissions.
 *
 * In: entries are `*` or eNames in canonical spelling, as stored; any other entry admits nobody and is left out.
 * Refuses: never. Source: S1 "Legacy array meanings", "Access guard"; decisions V11, V12.
 */
export function legacyAclAsPolicy({ owner, acl }: LegacyAccess): AccessPolicy {
  const named = new Set([owner, ...acl.filter(isEName)]);
  const isPublic = acl.includes("*");
  return {
    v: 1,
    grants: Array.from(named, (ename) => ({ ename, perms: ALL })),
    denials: { enames: [], conditions: [] },
    default_perms: isPublic ? PERMISSIONS.READ : 0,
    require: isPublic ? [[]] : [],
  };
}
