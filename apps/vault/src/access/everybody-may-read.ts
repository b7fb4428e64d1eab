import type { Guarded } from "./guard.ts";

/**
 * Tells whether a MetaEnvelope is open to everybody: what makes the stable address of a file work.
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
