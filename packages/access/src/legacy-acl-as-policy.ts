import { isEName } from "@dataspace/protocol/ename";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { LegacyAccess } from "./decide-by-legacy-acl.ts";
import { PERMISSIONS } from "./permission.ts";

const ALL = PERMISSIONS.READ | PERMISSIONS.CREATE | PERMISSIONS.UPDATE | PERMISSIONS.DELETE;

/**
 * Says as a policy what a legacy array says, for responses, which never carry the array.
 *
 * It is shown and not decided by: of persons it says what `decideByLegacyAcl` says, but a legacy platform token, which
 * satisfies an array, satisfies no policy. `*` is shown as a group that every authenticated asker passes, so one who is
 * named besides keeps everything.
 *
 * In: entries are `*` or eNames in canonical spelling, as stored; anything else admits nobody and is left out.
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
