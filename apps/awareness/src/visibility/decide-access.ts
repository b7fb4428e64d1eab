import type { FoundFacts } from "@dataspace/access/facts/find-facts";
import type { FoundReputation } from "@dataspace/access/facts/find-reputation";
import type { PolicyFacts } from "@dataspace/access/policy-asker";
import type { Listener } from "../matching/listener.ts";
import { type JudgedRecord, mayHear } from "../matching/may-hear.ts";

/** Whether a consumer may receive something; `unknown` while a source that decides it does not answer. */
export type AccessOutcome = "admitted" | "denied" | "unknown";

/** What was found out for decisions, and what no source answered. */
export interface FoundAccessFacts {
  readonly policy: FoundFacts;
  readonly reputation: FoundReputation | undefined;
}

/**
 * Decides whether a consumer may receive a change, with the facts that were found out.
 *
 * Out: `unknown` where the facts do not admit, and a missing answer could still admit. Refuses: never.
 * Source: decisions E4, V23, V24, A1.
 */
export function decideAccess(record: JudgedRecord, listener: Listener, found: FoundAccessFacts): AccessOutcome {
  const { policy, reputation } = found;
  if (mayHear(record, listener, { policy, reputation: reputation?.value })) return "admitted";
  const best = reputation?.isAnswered === false ? Number.POSITIVE_INFINITY : reputation?.value;
  const mayOpen = possibleFacts(policy).some((facts) => mayHear(record, listener, { policy: facts, reputation: best }));
  return mayOpen ? "unknown" : "denied";
}

// A membership can also take away what everybody has, so both answers are tried.
function possibleFacts({ memberOf, deniedThrough, passed, unanswered }: FoundFacts): readonly PolicyFacts[] {
  const open = {
    memberOf,
    deniedThrough: new Set([...deniedThrough].filter((ename) => !unanswered.denials.has(ename))),
    passed: new Set([...passed, ...unanswered.conditions]),
  };
  if (unanswered.groups.size === 0) return [open];
  return [open, { ...open, memberOf: new Set([...memberOf, ...unanswered.groups]) }];
}

/** Turns a decision that rests on no open facts into an outcome. Refuses: never. */
export function toOutcome(isAdmitted: boolean): AccessOutcome {
  return isAdmitted ? "admitted" : "denied";
}

/** What the certificate alone admits is not decided while its status is not known. Refuses: never. */
export function withStanding(outcome: AccessOutcome, isKnown: boolean): AccessOutcome {
  return outcome === "admitted" && !isKnown ? "unknown" : outcome;
}
