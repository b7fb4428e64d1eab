import { setTimeout as wait } from "node:timers/promises";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { PolicyAsker, PolicyFacts } from "../policy-asker.ts";
import { conditionKey, type PolicyTerms, policyTerms } from "../policy-terms.ts";
import { inTurns } from "./in-turns.ts";
import { checkConditions, type SignedReadingsDeps } from "./signed-readings.ts";

/** The subjects of a question about groups: names that a grant may count, and names that a denial may bind. */
export interface GroupQuestion {
  readonly enames: readonly EName[];
  readonly granted: readonly EName[];
  readonly denied: readonly EName[];
}

/** What a vault that is known here states about those names; null in both where it states nothing about members. */
export interface GroupRow {
  readonly ename: EName;
  readonly grants: boolean | null;
  readonly denies: boolean | null;
}

/**
 * Where facts come from: the groups and readings that are known here, and the registry, which `isKnown` asks whether an
 * eName has a vault anywhere.
 */
export interface FactSources extends SignedReadingsDeps {
  readonly findGroups: (question: GroupQuestion) => Promise<readonly GroupRow[]>;
  readonly isKnown: (ename: EName) => Promise<boolean>;
}

/** Resolves the facts that policies need about an asker. Never rejects. */
export type FindFacts = (asker: PolicyAsker, policies: Iterable<AccessPolicy>) => Promise<PolicyFacts>;

const MOST_LOOKUPS = 64;
const MOST_NAMES = 10_000;
const TIME_MS = 2_000;
const NOTHING: PolicyFacts = { memberOf: new Set(), deniedThrough: new Set(), passed: new Set() };

/**
 * Makes the search for facts: groups from their vaults, conditions from signed readings in the subject's vault, as far
 * as both are known here. At most 64 questions go to the registry, within two seconds in all. An unresolved fact counts
 * against the asker: its grant is withheld, its denial applies, its condition fails.
 *
 * A group whose vault is elsewhere cannot be queried yet; an eName that the registry does not know has no members.
 * Source: decisions V23, V24.
 */
export function createFindFacts(deps: FactSources): FindFacts {
  return async (asker, policies) => {
    const { enames, conditions: asked } = await uniteTerms(policies, asker);
    const subject = asker.platform ?? asker.ename;
    const conditions = subject === null ? [] : asked.filter(({ issuer }) => issuer !== undefined);
    if (enames.length === 0 && conditions.length === 0) return NOTHING;
    const outOfTime = new AbortController();
    const deadline = wait(TIME_MS, undefined, { signal: outOfTime.signal }).catch(() => undefined);
    try {
      const checks = subject === null ? [] : checkConditions(deps, subject, conditions.slice(0, MOST_LOOKUPS));
      const passed = Promise.all(checks.map((check) => settledBy(deadline, check)));
      const groups = await findMemberships(deps, { asker, enames, deadline, lookups: MOST_LOOKUPS - checks.length });
      return { ...groups, passed: new Set((await passed).filter((key) => key !== undefined)) };
    } finally {
      outOfTime.abort();
    }
  };
}

async function uniteTerms(policies: Iterable<AccessPolicy>, asker: PolicyAsker): Promise<PolicyTerms> {
  const enames = new Set<EName>();
  const conditions = new Map<string, PolicyTerms["conditions"][number]>();
  for await (const policy of inTurns(policies)) {
    const terms = policyTerms(policy, asker);
    for (const ename of terms.enames) enames.add(ename);
    for (const condition of terms.conditions) conditions.set(conditionKey(condition), condition);
  }
  return { enames: [...enames], conditions: [...conditions.values()] };
}

/** The promise's value, or undefined when it fails or the deadline comes first. */
async function settledBy<T>(deadline: Promise<undefined>, awaited: Promise<T>): Promise<T | undefined> {
  return Promise.race([awaited.catch(() => undefined), deadline]);
}

interface Memberships {
  readonly asker: PolicyAsker;
  readonly enames: readonly EName[];
  readonly deadline: Promise<undefined>;
  readonly lookups: number;
}

async function findMemberships(
  deps: FactSources,
  { asker, enames, deadline, lookups }: Memberships,
): Promise<Pick<PolicyFacts, "memberOf" | "deniedThrough">> {
  const memberOf = new Set<EName>();
  const deniedThrough = new Set<EName>();
  if (enames.length === 0) return { memberOf, deniedThrough };
  const granted = [asker.ename, asker.platform].filter((ename) => ename !== null);
  const denied = [asker.ename, asker.platform, asker.onBehalfOf].filter((ename) => ename !== null);
  const question = { enames: enames.slice(0, MOST_NAMES), granted, denied };
  const here = await settledBy(deadline, deps.findGroups(question));
  if (here === undefined) return { memberOf, deniedThrough: new Set(enames) };
  const known = new Set(here.map(({ ename }) => ename));
  const elsewhere = enames.filter((ename) => !known.has(ename));
  for (const { ename, grants, denies } of here) {
    if (grants === true) memberOf.add(ename);
    if (denies === true) deniedThrough.add(ename);
  }
  const asked = elsewhere.slice(0, lookups);
  const answers = await Promise.all(asked.map((ename) => settledBy(deadline, deps.isKnown(ename))));
  for (const [index, ename] of elsewhere.entries()) if (answers[index] !== false) deniedThrough.add(ename);
  return { memberOf, deniedThrough };
}
