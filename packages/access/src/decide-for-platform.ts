import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import { decideByGates, type GateQuestion, type GateRefusal } from "./decide-by-gates.ts";
import { decideByPolicy } from "./decide-by-policy.ts";
import type { Permission } from "./permission.ts";
import type { PolicyFacts } from "./policy-asker.ts";

/**
 * May a platform with an evidence session do this with a record?
 *
 * `policy` is the record's `_acl`, or null where its legacy array decides. `platform` is the proven platform, `onBehalfOf` whom it
 * says it acts for; `facts` is what was found out about both.
 */
export interface PlatformQuestion {
  readonly gates: GateQuestion;
  readonly platform: EName;
  readonly onBehalfOf: EName | null;
  readonly policy: AccessPolicy | null;
  readonly permission: Permission;
  readonly facts: PolicyFacts;
}

/** The answer: allowed, or the gate that is closed, or that the record's own policy denies. */
export type PlatformDecision =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: GateRefusal | "denied_by_policy" };

/**
 * Decides for an evidence session: the certificate's domains, then the owner's policy, then `_acl`, or the legacy array, which an
 * evidence session satisfies. Each step can only narrow what the step before admits.
 *
 * Refuses: never; what is not allowed is denied. Source: S3 "Platform authentication"; decisions A2, V11, V12.
 */
export function decideForPlatform(question: PlatformQuestion): PlatformDecision {
  const { gates, platform, onBehalfOf, policy, permission, facts } = question;
  const closed = decideByGates(gates);
  if (closed !== undefined) return { allow: false, reason: closed };
  if (policy === null) return { allow: true };
  const asker = { authenticated: true, ename: null, platform, onBehalfOf };
  const { allow } = decideByPolicy({ policy, asker, permission, facts });
  return allow ? { allow } : { allow, reason: "denied_by_policy" };
}
