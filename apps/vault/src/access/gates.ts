import {
  decideByGates,
  type GateQuestion,
  type GateRefusal,
  reachableOntologies,
} from "@dataspace/access/decide-by-gates";
import { findReputation } from "@dataspace/access/facts/find-reputation";
import { DEFAULT_OWNER_TERMS, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import type { Caller } from "../caller/caller.ts";
import { findOwnerPolicy } from "../store/owner-policy-rows.ts";
import { createFactSources, type PolicyFactsDeps } from "./fact-sources.ts";

/** The decision of the two gates for an evidence session: for one ontology, and for all. */
export interface Gates {
  /** The facts about records of an ontology, for the pure decision. */
  readonly questionOn: (ontology: string) => GateQuestion;
  /** Why records of an ontology cannot be reached; undefined where they can. */
  readonly refusalOn: (ontology: string) => GateRefusal | undefined;
  /** The ontologies whose records can be reached. */
  readonly reachable: readonly string[];
  /** The signed policy that decides, as its text; empty where the owner has signed none. */
  readonly policyText: string;
}

/**
 * Finds the gates' decision for a caller; undefined for a caller that is not an evidence session, to which no gates
 * apply.
 */
export type GatesOf = (caller: Caller) => Promise<Gates | undefined>;

/**
 * Makes the two gates. The owner's policy is read at each request, so a stricter one applies to sessions that are open,
 * and once for each request. Reputation is found as
 * `findReputation` says.
 *
 * In: `domains`, the domain of every ontology that has one. Refuses: the database's errors.
 * Source: S3 "Platform authentication" (two independent gates); decisions A1, A2, A5, V24.
 */
export function createGatesOf(
  deps: PolicyFactsDeps,
  { domains }: { readonly domains: ReadonlyMap<string, string> },
): GatesOf {
  const known = new WeakMap<Caller, Promise<Gates | undefined>>();
  return (caller) => {
    const gates = known.get(caller) ?? findGates(deps, caller, domains);
    known.set(caller, gates);
    return gates;
  };
}

async function findGates(
  deps: PolicyFactsDeps,
  { owner, principal }: Caller,
  domains: ReadonlyMap<string, string>,
): Promise<Gates | undefined> {
  if (principal.kind !== "platform") return undefined;
  const { certified } = principal;
  const policyText = (await findOwnerPolicy(deps.database, owner)) ?? "";
  const terms = policyText === "" ? DEFAULT_OWNER_TERMS : parseOwnerPolicy(JSON.parse(policyText).statement);
  const reputation = await findReputation(createFactSources(deps), terms, principal.ename);
  const asked = { certified, terms, reputation: reputation.value };
  const questionOn = (ontology: string) => ({ ...asked, domain: domains.get(ontology) });
  return {
    questionOn,
    refusalOn: (ontology) => decideByGates(questionOn(ontology)),
    reachable: reachableOntologies(asked, domains),
    policyText,
  };
}
