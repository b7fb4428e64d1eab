import { PERMISSIONS } from "@dataspace/access/permission";
import { policyTerms } from "@dataspace/access/policy-terms";
import type { EName } from "@dataspace/protocol/ename";
import type { Listener } from "../matching/listener.ts";
import { askerOf, findOpenQuestion, type JudgedRecord, mayHear } from "../matching/may-hear.ts";

/**
 * A decision that rests on nothing but groups of grants: the eNames whose grants give READ, those whose grants do not,
 * and the decision by which of them the listener belongs to.
 */
export interface GrantQuestion {
  readonly reading: readonly EName[];
  readonly others: readonly EName[];
  readonly ifReading: boolean;
  readonly ifOther: boolean;
  readonly ifNone: boolean;
}

/**
 * Makes the question that a decision leaves open, so that the decision can be made again without the policy.
 *
 * Out: the decision itself where no membership changes it; undefined where it rests on more than grants. Refuses: never.
 * Source: S1 "Authentication" (`_acl` decision order); decision V23.
 */
export function toGrantQuestion(record: JudgedRecord, listener: Listener): GrantQuestion | boolean | undefined {
  const open = findOpenQuestion(record, listener);
  if (open === undefined) return mayHear(record, listener);
  if (open.wantsReputation || open.policy === undefined) return undefined;
  const { enames, deniedENames, conditions } = policyTerms(open.policy, askerOf(listener));
  if (deniedENames.length > 0 || conditions.length > 0) return undefined;
  const withRead = open.policy.grants.filter(({ perms }) => (perms & PERMISSIONS.READ) !== 0);
  const reads = new Set(withRead.map(({ ename }) => ename));
  const { reading = [], others = [] } = Object.groupBy(enames, (ename) => (reads.has(ename) ? "reading" : "others"));
  const decideAs = (groups: readonly EName[]): boolean => {
    const policy = { memberOf: new Set(groups), deniedThrough: NOBODY, passed: NOTHING };
    return mayHear(record, listener, { policy, reputation: undefined });
  };
  const ifNone = decideAs([]);
  const ifReading = reading.length === 0 ? ifNone : decideAs(reading);
  const ifOther = others.length === 0 ? ifNone : decideAs(others);
  if (ifReading === ifNone && ifOther === ifNone) return ifNone;
  return { reading, others, ifReading, ifOther, ifNone };
}

/** Answers the question for a listener who belongs to some groups. Refuses: never. */
export function answerGrantQuestion(question: GrantQuestion, groups: ReadonlySet<EName>): boolean {
  if (question.reading.some((ename) => groups.has(ename))) return question.ifReading;
  return question.others.some((ename) => groups.has(ename)) ? question.ifOther : question.ifNone;
}

const NOBODY: ReadonlySet<EName> = new Set();
const NOTHING: ReadonlySet<string> = new Set();
