import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import { isOwner } from "./guard.ts";

/**
 * Which of an owner's MetaEnvelopes a principal may read, in a form that a statement can filter by. It says exactly what
 * `isAllowed(…, "READ")` says of each.
 *
 * - `owner`: all under a legacy array, quarantined ones too.
 * - `all`: all under a legacy array that are not quarantined.
 * - `listed`: those whose legacy array names one of `entries`.
 * - `none`: nothing.
 *
 * Source: S1 "Access guard"; decision V13.
 */
export type ReadScope =
  | { readonly kind: "owner" }
  | { readonly kind: "all" }
  | { readonly kind: "listed"; readonly entries: readonly string[] }
  | { readonly kind: "none" };

/** Finds the read scope of a principal in an owner's vault. */
export function readScope(owner: EName, principal: Principal): ReadScope {
  if (isOwner(owner, principal)) return { kind: "owner" };
  switch (principal.kind) {
    case "anonymous":
      return { kind: "none" };
    case "legacy-platform":
      return { kind: "all" };
    case "person":
      return { kind: "listed", entries: ["*", principal.ename] };
  }
}
