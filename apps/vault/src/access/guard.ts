import { decideByLegacyAcl } from "@dataspace/access/decide-by-legacy-acl";
import { decideByPolicy } from "@dataspace/access/decide-by-policy";
import { decideForPlatform } from "@dataspace/access/decide-for-platform";
import { createFindFacts } from "@dataspace/access/facts/find-facts";
import { inTurns } from "@dataspace/access/facts/in-turns";
import { PERMISSIONS, type Permission } from "@dataspace/access/permission";
import type { PolicyAsker } from "@dataspace/access/policy-asker";
import type { Principal } from "@dataspace/access/principal";
import type { EName } from "@dataspace/protocol/ename";
import type { Caller } from "../caller/caller.ts";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { type AccessRecordDeps, createNoteAccess, type NoteAccess } from "./access-record.ts";
import { createFactSources, type PolicyFactsDeps } from "./fact-sources.ts";
import { createGatesOf, type Gates, type GatesOf } from "./gates.ts";
import { isOwner } from "./owner.ts";
import { createStoredPolicies } from "./stored-policies.ts";

/**
 * What decides access to one MetaEnvelope of the addressed owner: its ontology, its policy or array, and who opened it,
 * if not the owner.
 */
export type Guarded = Pick<StoredMetaEnvelope, "ontology" | "acl" | "aclBlock" | "quarantined" | "openedBy">;

/** Returns whether one permission is granted. */
export type MayDo = (permission: Permission) => boolean;

/** The access decision of every operation, for one MetaEnvelope and for a whole list. */
export interface Guard {
  /** Finds the caller's permissions on a MetaEnvelope of the addressed vault. */
  readonly permissionsOn: (caller: Caller, guarded: Guarded) => Promise<MayDo>;
  /** Finds which MetaEnvelopes of the addressed vault the caller may read. */
  readonly readScope: (caller: Caller) => Promise<ReadScope>;
  /** The decision of the two gates for a caller with an evidence session; undefined for any other caller. */
  readonly gatesOf: GatesOf;
  /** Records what a caller with an evidence session is about to be shown or to write; for other callers nothing. */
  readonly noteAccess: NoteAccess;
  /** Checks whether a policy gives the owner of a vault every permission. */
  readonly grantsOwnerAll: (owner: EName, aclBlock: string) => Promise<boolean>;
}

/**
 * Makes the guard. `_acl` alone decides a MetaEnvelope that has it, never its array, and a malformed block admits
 * nobody. A quarantined MetaEnvelope is visible only to the owner until the owner changes it. Whoever opened a
 * social_connection in another's vault may read it there. A legacy platform token that may write reads and removes it.
 *
 * A list is decided policy by policy before any row is read. An owner has few different policies, and the statement
 * then selects the rows under those that let the caller read.
 *
 * An evidence session must first pass two gates, the certificate's domains and the owner's access policy, for each
 * MetaEnvelope and for lists alike.
 *
 * In: `domains`, the domain of every ontology that has one.
 * Refuses: never; facts that cannot be resolved grant nothing, and their denials apply.
 * Source: S1 "Access guard"; S3 "Platform authentication"; decisions I3, V11, V12, V13, V14, V24, A2.
 */
export function createGuard(
  deps: PolicyFactsDeps & AccessRecordDeps,
  config: { readonly domains: ReadonlyMap<string, string> },
): Guard {
  const policies = createStoredPolicies(deps.database);
  const findFacts = createFindFacts(createFactSources(deps));
  const gatesOf = createGatesOf(deps, config);
  // One request decides a policy once, however many of its records have it, and makes no new decision while it holds a
  // row's lock.
  const asked = new WeakMap<Caller, Map<string, Promise<MayDo>>>();
  async function byPolicy(caller: Caller, block: string): Promise<MayDo> {
    const policy = policies.read(block);
    if (policy === undefined) return () => false;
    const asker = toAsker(caller);
    const facts = await findFacts(asker, [[policy]]);
    return (permission) => decideByPolicy({ policy, asker, permission, facts }).allow;
  }
  async function byGates(caller: Caller, gates: Gates, { ontology, aclBlock }: Guarded): Promise<MayDo> {
    const policy = aclBlock === null ? null : policies.read(aclBlock);
    const asker = toAsker(caller);
    if (policy === undefined || asker.platform === null) return () => false;
    const facts = await findFacts(asker, policy === null ? [] : [[policy]]);
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
    noteAccess: createNoteAccess(deps, config),
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
      const facts = await findFacts(asker, [[policy]]);
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
      const facts = await findFacts(asker, [ofOwner.values()]);
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

// A wallet of the older family manages its owner's openings with a legacy token. Source: decision V14.
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
