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

interface OpenMemberships {
  readonly groups: ReadonlySet<EName>;
  readonly denials: ReadonlySet<EName>;
}

/**
 * Facts that count against the asker where they could not be found out. `unanswered` has those that a source did not
 * answer, so that another time may give another decision: groups whose members are open, denied eNames that may have no
 * members, and keys of conditions.
 */
export interface FoundFacts extends PolicyFacts {
  readonly unanswered: OpenMemberships & { readonly conditions: ReadonlySet<string> };
}

/** Resolves the facts that policies need about an asker; in: the policies of each owner. Never rejects. */
export type FindFacts = (asker: PolicyAsker, policiesByOwner: Iterable<Iterable<AccessPolicy>>) => Promise<FoundFacts>;

/** The limits of what one owner's policies may ask. */
const MOST_LOOKUPS = 64;
const MOST_NAMES = 10_000;
const TIME_MS = 2_000;
const NOTHING: FoundFacts = {
  memberOf: new Set(),
  deniedThrough: new Set(),
  passed: new Set(),
  unanswered: { groups: new Set(), denials: new Set(), conditions: new Set() },
};

/**
 * Makes the search for facts: groups from their vaults, conditions from signed readings in the subject's vault, as far
 * as both are known here. For each owner's policies at most 64 conditions are checked and 64 eNames asked about, within
 * two seconds in all; so no owner uses up what another's decision needs. An unresolved fact counts against the asker: its
 * grant is withheld, its denial applies, its condition fails.
 *
 * A group whose vault is elsewhere cannot be queried yet, so its grant is withheld. The registry is asked about groups of
 * denials alone: an eName that it does not know has no members. Source: decisions V23, V24.
 */
export function createFindFacts(deps: FactSources): FindFacts {
  return async (asker, policiesByOwner) => {
    const terms = await listTerms(policiesByOwner, asker);
    const subject = asker.platform ?? asker.ename;
    const conditions = subject === null ? [] : distinctConditions(terms);
    if (conditions.length === 0 && terms.every(({ enames }) => enames.length === 0)) return NOTHING;
    const outOfTime = new AbortController();
    const deadline = wait(TIME_MS, undefined, { signal: outOfTime.signal }).catch(() => undefined);
    try {
      const checks = subject === null ? [] : checkConditions(deps, subject, conditions);
      const [groups, met] = await Promise.all([
        findMemberships(deps, { asker, terms, deadline }),
        Promise.all(checks.map((check) => settledBy(deadline, check))),
      ]);
      const keysOf = (wanted: boolean | undefined): ReadonlySet<string> =>
        new Set(conditions.filter((_, index) => met[index] === wanted).map(conditionKey));
      const { unanswered, ...memberships } = groups;
      return { ...memberships, passed: keysOf(true), unanswered: { ...unanswered, conditions: keysOf(undefined) } };
    } finally {
      outOfTime.abort();
    }
  };
}

/** The terms of each owner, as far as they are looked up. */
async function listTerms(
  policiesByOwner: Iterable<Iterable<AccessPolicy>>,
  asker: PolicyAsker,
): Promise<readonly PolicyTerms[]> {
  const all: PolicyTerms[] = [];
  for (const policies of policiesByOwner) {
    const enames = new Set<EName>();
    const deniedENames = new Set<EName>();
    const conditions = new Map<string, PolicyTerms["conditions"][number]>();
    for await (const policy of inTurns(policies)) {
      const terms = policyTerms(policy, asker);
      for (const ename of terms.enames) enames.add(ename);
      for (const ename of terms.deniedENames) deniedENames.add(ename);
      for (const condition of terms.conditions) conditions.set(conditionKey(condition), condition);
    }
    const asked = [...conditions.values()].filter(({ issuer }) => issuer !== undefined);
    all.push({ enames: [...enames], deniedENames: [...deniedENames], conditions: asked.slice(0, MOST_LOOKUPS) });
  }
  return all;
}

function distinctConditions(terms: readonly PolicyTerms[]): PolicyTerms["conditions"] {
  const all = terms.flatMap(({ conditions }) => conditions);
  return [...new Map(all.map((condition) => [conditionKey(condition), condition])).values()];
}

/** The promise's value, or undefined when it fails or the deadline comes first. */
async function settledBy<T>(deadline: Promise<undefined>, awaited: Promise<T>): Promise<T | undefined> {
  return Promise.race([awaited.catch(() => undefined), deadline]);
}

interface Memberships {
  readonly asker: PolicyAsker;
  readonly terms: readonly PolicyTerms[];
  readonly deadline: Promise<undefined>;
}

interface FoundMemberships extends Pick<PolicyFacts, "memberOf" | "deniedThrough"> {
  readonly unanswered: OpenMemberships;
}

const NONE_OPEN: OpenMemberships = { groups: new Set(), denials: new Set() };

async function findMemberships(deps: FactSources, { asker, terms, deadline }: Memberships): Promise<FoundMemberships> {
  const memberOf = new Set<EName>();
  const denied = new Set(terms.flatMap(({ deniedENames }) => deniedENames));
  const enames = [...new Set(terms.flatMap((owner) => owner.enames.slice(0, MOST_NAMES)))];
  if (enames.length === 0) return { memberOf, deniedThrough: denied, unanswered: NONE_OPEN };
  const granted = [asker.ename, asker.platform].filter((ename) => ename !== null);
  const identities = [asker.ename, asker.platform, asker.onBehalfOf].filter((ename) => ename !== null);
  const here = await settledBy(deadline, deps.findGroups({ enames, granted, denied: identities }));
  if (here === undefined)
    return { memberOf, deniedThrough: denied, unanswered: { groups: new Set(enames), denials: denied } };
  const deniedThrough = new Set(denied);
  for (const { ename, grants, denies } of here) {
    if (grants === true) memberOf.add(ename);
    if (denies !== true) deniedThrough.delete(ename);
  }
  const known = new Set(here.map(({ ename }) => ename));
  const elsewhere = new Set(
    terms.flatMap(({ deniedENames }) => deniedENames.filter((ename) => !known.has(ename)).slice(0, MOST_LOOKUPS)),
  );
  const denials = new Set<EName>();
  await Promise.all(
    [...elsewhere].map(async (ename) => {
      const isKnown = await settledBy(deadline, deps.isKnown(ename));
      if (isKnown === false) deniedThrough.delete(ename);
      if (isKnown === undefined) denials.add(ename);
    }),
  );
  return { memberOf, deniedThrough, unanswered: { groups: new Set(), denials } };
}
