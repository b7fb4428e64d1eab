import { decideByLegacyAcl } from "@dataspace/access/decide-by-legacy-acl";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import type { Permission } from "@dataspace/access/permission";
import type { PolicyAsker } from "@dataspace/access/policy-asker";
import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Caller } from "../caller/caller.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { inTurns } from "./in-turns.ts";
import { isOwner } from "./owner.ts";
import { createFindFacts, type PolicyFactsDeps } from "./policy-facts.ts";
import { createStoredPolicies } from "./stored-policies.ts";

/**
 * What decides access to one MetaEnvelope of the addressed owner: its policy or array, and who opened it, if not the
 * owner.
 */
export type Guarded = Pick<StoredMetaEnvelope, "acl" | "aclBlock" | "quarantined" | "openedBy">;

/** Returns whether one permission is granted. */
export type MayDo = (permission: Permission) => boolean;

/** The access decision of every operation, for one MetaEnvelope and for a whole list. */
export interface Guard {
  /** Finds the caller's permissions on a MetaEnvelope of the addressed vault. */
  readonly permissionsOn: (caller: Caller, guarded: Guarded) => Promise<MayDo>;
  /** Finds which MetaEnvelopes of the addressed vault the caller may read. */
  readonly readScope: (caller: Caller) => Promise<ReadScope>;
}

/**
 * Makes the guard. `_acl` alone decides a MetaEnvelope that has it, never its array, and a malformed block admits
 * nobody. A stranger's MetaEnvelope is visible only to the owner until the owner changes it. Whoever opened a
 * social_connection in another's vault may read it there. A legacy platform token that may write reads and removes it.
 *
 * A list is decided policy by policy before any row is read. An owner has few different policies, and the statement
 * then selects the rows under those that let the caller read.
 *
 * Refuses: never; facts that cannot be resolved grant nothing, and their denials apply.
 * Source: S1 "Access guard"; decisions I3, V11, V12, V13, V14, V24.
 */
export function createGuard(deps: PolicyFactsDeps & { readonly database: Queryable }): Guard {
  const policies = createStoredPolicies(deps.database);
  const findFacts = createFindFacts(deps);
  // One request decides a policy once, however many of its records have it, and makes no new decision while it holds a
  // row's lock.
  const asked = new WeakMap<Caller, Map<string, Promise<MayDo>>>();
  async function byPolicy(caller: Caller, block: string): Promise<MayDo> {
    const policy = policies.read(block);
    if (policy === undefined) return () => false;
    const asker = toAsker(caller);
    const facts = await findFacts(asker, [policy]);
    return (permission) => decideByPolicy({ policy, asker, permission, facts }).allow;
  }
  return {
    permissionsOn: async (caller, guarded) => {
      const { aclBlock } = guarded;
      if (aclBlock === null) return (permission) => byArray(caller, guarded, permission);
      const ofCaller = asked.get(caller) ?? new Map<string, Promise<MayDo>>();
      asked.set(caller, ofCaller);
      const decision = ofCaller.get(aclBlock) ?? byPolicy(caller, aclBlock);
      ofCaller.set(aclBlock, decision);
      return decision;
    },
    readScope: async (caller) => {
      const arrays = arrayScope(caller.owner, caller.principal);
      if (caller.principal.kind === "anonymous") return { arrays, policies: [] };
      const ofOwner = await policies.ofOwner(caller.owner);
      if (ofOwner.size === 0) return { arrays, policies: [] };
      const asker = toAsker(caller);
      const facts = await findFacts(asker, ofOwner.values());
      const readable: string[] = [];
      for await (const [key, policy] of inTurns(ofOwner)) {
        if (decideByPolicy({ policy, asker, permission: "READ", facts }).allow) readable.push(key);
      }
      return { arrays, policies: readable };
    },
  };
}

function byArray({ owner, principal }: Caller, guarded: Guarded, permission: Permission): boolean {
  const { acl, quarantined, openedBy } = guarded;
  if (permission === "READ" && principal.kind === "person" && principal.ename === openedBy) return true;
  if (quarantined && !isOwner(owner, principal)) {
    return openedBy !== null && carriesOwnersWallet(principal) && (permission === "READ" || permission === "DELETE");
  }
  return decideByLegacyAcl({ owner, acl }, principal, permission);
}

// A wallet of the older family manages its owner's openings with a legacy token. Source: decision V14.
function carriesOwnersWallet(principal: Principal): boolean {
  return principal.kind === "legacy-platform" && principal.writes;
}

function arrayScope(owner: EName, principal: Principal): ReadScope["arrays"] {
  if (isOwner(owner, principal)) return { kind: "owner" };
  switch (principal.kind) {
    case "anonymous":
      return { kind: "none" };
    case "legacy-platform":
      return { kind: carriesOwnersWallet(principal) ? "all-and-openings" : "all" };
    case "person":
      return { kind: "listed", entries: ["*", principal.ename] };
  }
}

function toAsker({ principal, onBehalfOf }: Caller): PolicyAsker {
  const ename = principal.kind === "person" ? principal.ename : null;
  return { authenticated: principal.kind !== "anonymous", ename, platform: null, onBehalfOf };
}
