import { decideByLegacyAcl } from "@dataspace/access/decide-by-legacy-acl";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { decideForPlatform } from "@dataspace/access/decide-for-platform";
import { PERMISSIONS, type Permission } from "@dataspace/access/permission";
import type { PolicyAsker } from "@dataspace/access/policy-asker";
import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Caller } from "../caller/caller.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { createGatesOf, type Gates, type GatesOf } from "./gates.ts";
import { inTurns } from "./in-turns.ts";
import { isOwner } from "./owner.ts";
import { createFindFacts, type PolicyFactsDeps } from "./policy-facts.ts";
import { createStoredPolicies } from "./stored-policies.ts";

/**
 * What decides over one MetaEnvelope of the addressed owner: its ontology, the policy it carries, and who opened it where not the
 * owner did.
 */
export type Guarded = Pick<StoredMetaEnvelope, "ontology" | "acl" | "aclBlock" | "quarantined" | "openedBy">;

/** Tells whether one permission is given. */
export type MayDo = (permission: Permission) => boolean;

/** The one question every operation asks, of one MetaEnvelope and of a whole list. */
export interface Guard {
  /** What a caller may do with a MetaEnvelope of the vault they address. */
  readonly permissionsOn: (caller: Caller, guarded: Guarded) => Promise<MayDo>;
  /** Which MetaEnvelopes of the vault they address a caller may read. */
  readonly readScope: (caller: Caller) => Promise<ReadScope>;
  /** What the two gates say to a caller with an evidence session; undefined for any other caller. */
  readonly gatesOf: GatesOf;
  /** Tells whether a policy gives the owner of a vault every permission. */
  readonly grantsOwnerAll: (owner: EName, aclBlock: string) => Promise<boolean>;
}

/**
 * Makes the guard. A MetaEnvelope with `_acl` is decided by it alone, never by its array, and never opened to anyone where the block
 * cannot be read; one that a stranger left is the owner's alone until the owner has touched it. Who opened a social_connection in
 * another's vault may read it there; a legacy platform token that may write reads and removes it.
 *
 * A list is decided policy by policy before any row is read: an owner has few different policies, and the statement then
 * asks for rows under those that let the caller read.
 *
 * An evidence session meets two gates first, the certificate's domains and the owner's access policy, for each MetaEnvelope and for
 * lists alike.
 *
 * In: `domains`, the domain of every ontology that has one.
 * Refuses: never; what cannot be found out about a caller gives nothing and keeps denying.
 * Source: S1 "Access guard"; S3 "Platform authentication"; decisions I3, V11, V12, V13, V14, V24, A2.
 */
export function createGuard(
  deps: PolicyFactsDeps & { readonly database: Queryable },
  config: { readonly domains: ReadonlyMap<string, string> },
): Guard {
  const policies = createStoredPolicies(deps.database);
  const findFacts = createFindFacts(deps);
  const gatesOf = createGatesOf(deps, config);
  // One request asks about a policy once, however many of its records carry it, and never while it holds a row's lock anew.
  const asked = new WeakMap<Caller, Map<string, Promise<MayDo>>>();
  async function byPolicy(caller: Caller, block: string): Promise<MayDo> {
    const policy = policies.read(block);
    if (policy === undefined) return () => false;
    const asker = toAsker(caller);
    const facts = await findFacts(asker, [policy]);
    return (permission) => decideByPolicy({ policy, asker, permission, facts }).allow;
  }
  async function byGates(caller: Caller, gates: Gates, { ontology, aclBlock }: Guarded): Promise<MayDo> {
    const policy = aclBlock === null ? null : policies.read(aclBlock);
    const asker = toAsker(caller);
    if (policy === undefined || asker.platform === null) return () => false;
    const facts = await findFacts(asker, policy === null ? [] : [policy]);
    const question = { ...asker, platform: asker.platform, gates: gates.questionOn(ontology), policy, facts };
    return (permission) => decideForPlatform({ ...question, permission }).allow;
  }
  function once(caller: Caller, key: string, decide: () => Promise<MayDo>): Promise<MayDo> {
    const ofCaller = asked.get(caller) ?? new Map<string, Promise<MayDo>>();
    asked.set(caller, ofCaller);
    const decision = ofCaller.get(key) ?? decide();
    ofCaller.set(key, decision);
    return decision;
  }
  return {
    gatesOf,
    permissionsOn: async (caller, guarded) => {
      const { ontology, aclBlock, quarantined } = guarded;
      const gates = await gatesOf(caller);
      if (gates !== undefined) {
        if (quarantined) return () => false;
        return once(caller, `${ontology}\n${aclBlock ?? ""}`, () => byGates(caller, gates, guarded));
      }
      if (aclBlock === null) return (permission) => byArray(caller, guarded, permission);
      return once(caller, aclBlock, () => byPolicy(caller, aclBlock));
    },
    grantsOwnerAll: async (owner, aclBlock) => {
      const policy = policies.read(aclBlock);
      if (policy === undefined) return false;
      const asker = { authenticated: true, ename: owner, platform: null, onBehalfOf: null };
      const facts = await findFacts(asker, [policy]);
      const all = Object.keys(PERMISSIONS) as readonly Permission[];
      return all.every((permission) => decideByPolicy({ policy, asker, permission, facts }).allow);
    },
    readScope: async (caller) => {
      const ontologies = (await gatesOf(caller))?.reachable;
      const arrays = arrayScope(caller.owner, caller.principal);
      if (caller.principal.kind === "anonymous" || ontologies?.length === 0) {
        return { arrays: { kind: "none" }, policies: [], ontologies };
      }
      const ofOwner = await policies.ofOwner(caller.owner);
      if (ofOwner.size === 0) return { arrays, policies: [], ontologies };
      const asker = toAsker(caller);
      const facts = await findFacts(asker, ofOwner.values());
      const readable: string[] = [];
      for await (const [key, policy] of inTurns(ofOwner)) {
        if (decideByPolicy({ policy, asker, permission: "READ", facts }).allow) readable.push(key);
      }
      return { arrays, policies: readable, ontologies };
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

// A wallet of the older family looks after openings of its owner with a legacy token. Source: decision V14.
function carriesOwnersWallet(principal: Principal): boolean {
  return principal.kind === "legacy-platform" && principal.writes;
}

function arrayScope(owner: EName, principal: Principal): ReadScope["arrays"] {
  if (isOwner(owner, principal)) return { kind: "owner" };
  switch (principal.kind) {
    case "anonymous":
      return { kind: "none" };
    case "platform":
      return { kind: "all" };
    case "legacy-platform":
      return { kind: carriesOwnersWallet(principal) ? "all-and-openings" : "all" };
    case "person":
      return { kind: "listed", entries: ["*", principal.ename] };
  }
}

function toAsker({ principal, onBehalfOf }: Caller): PolicyAsker {
  const ename = principal.kind === "person" ? principal.ename : null;
  const platform = principal.kind === "platform" ? principal.ename : null;
  return { authenticated: principal.kind !== "anonymous", ename, platform, onBehalfOf };
}
