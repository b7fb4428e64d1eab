import { setTimeout as wait } from "node:timers/promises";
import { readingValue } from "@dataspace/access/condition-holds";
import {
  decideByGates,
  type GateQuestion,
  type GateRefusal,
  reachableOntologies,
  wantedReputation,
} from "@dataspace/access/decide-by-gates";
import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { Caller } from "../caller/caller.ts";
import { findOwnerPolicy } from "../store/owner-policy-rows.ts";
import { findSignedReading, type SignedReadingsDeps } from "./signed-readings.ts";

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

const REPUTATION_PATH = "$.score";
const REPUTATION_AGE_SECONDS = 86_400;
const TIME_MS = 2_000;

/**
 * Makes the two gates. The owner's policy is read at each request, so a stricter one applies to sessions that are open,
 * and once for each request. The platform's reputation is the newest reading in the platform's own vault that the
 * owner's engine signed: ontology and issuer are the engine's eName, the value is at `$.score`, no older than a day.
 * What does not arrive within 2 s is missing.
 *
 * In: `domains`, the domain of every ontology that has one. Refuses: the database's errors.
 * Source: S3 "Platform authentication" (two independent gates); decisions A1, A2, A5, V24.
 */
export function createGatesOf(
  deps: SignedReadingsDeps,
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
  deps: SignedReadingsDeps,
  { owner, principal }: Caller,
  domains: ReadonlyMap<string, string>,
): Promise<Gates | undefined> {
  if (principal.kind !== "platform") return undefined;
  const { certified } = principal;
  const policyText = (await findOwnerPolicy(deps.database, owner)) ?? "";
  const terms = policyText === "" ? DEFAULT_OWNER_TERMS : parseOwnerPolicy(JSON.parse(policyText).statement);
  const asked = { certified, terms, reputation: await findReputation(deps, terms, principal.ename) };
  const questionOn = (ontology: string) => ({ ...asked, domain: domains.get(ontology) });
  return {
    questionOn,
    refusalOn: (ontology) => decideByGates(questionOn(ontology)),
    reachable: reachableOntologies(asked, domains),
    policyText,
  };
}

async function findReputation(
  deps: SignedReadingsDeps,
  terms: OwnerPolicyTerms,
  platform: EName,
): Promise<number | undefined> {
  const wanted = wantedReputation(terms);
  if (wanted === undefined) return undefined;
  const { engine } = wanted;
  const outOfTime = new AbortController();
  const deadline = wait(TIME_MS, undefined, { signal: outOfTime.signal }).catch(() => undefined);
  try {
    const reading = await Promise.race([
      findSignedReading(deps, { subject: platform, ontology: engine, signer: engine }).catch(() => undefined),
      deadline,
    ]);
    if (reading === undefined) return undefined;
    const asked = { ontology: engine, path: REPUTATION_PATH, issuer: engine, maxAgeSeconds: REPUTATION_AGE_SECONDS };
    return readingValue(asked, reading, { subject: platform, nowMs: deps.clock.nowMs() });
  } finally {
    outOfTime.abort();
  }
}
