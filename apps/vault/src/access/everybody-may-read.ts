import type { Guarded } from "./guard.ts";

/**
 * Checks whether everybody may read a MetaEnvelope; only then the stable address of a file works.
 *
 * Refuses: never. Source: S1 "Legacy array meanings"; decision V15.
 */
export function everybodyMayRead({
  acl,
  aclBlock,
  quarantined,
}: Pick<Guarded, "acl" | "aclBlock" | "quarantined">): boolean {
  return aclBlock === null && !quarantined && acl.includes("*");
}
