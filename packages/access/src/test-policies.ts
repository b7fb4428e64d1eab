import { type AccessCondition, type AccessPolicy, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { PolicyAsker, PolicyFacts } from "./policy-asker.ts";
import { conditionKey } from "./policy-terms.ts";

const ename = (digit: string): EName => parseEName(`@00000000-0000-4000-8000-${digit.padStart(12, "0")}`);

/**
 * The parties of the table: O owns, A and B are persons, P is a platform, G = {A, B}, G2 = {A, P}, GX is a group that
 * cannot be reached, Z is a stranger. S and E certify securities and reputations.
 */
export const PARTY: Readonly<Record<"O" | "A" | "B" | "P" | "G" | "G2" | "GX" | "Z" | "S" | "E", EName>> = {
  O: ename("1"),
  A: ename("a"),
  B: ename("b"),
  P: ename("c"),
  G: ename("d1"),
  G2: ename("d2"),
  GX: ename("d3"),
  Z: ename("f"),
  S: ename("51"),
  E: ename("e1"),
};
const { O, A, B, P, G, G2, GX, Z, S, E } = PARTY;

const sec80: AccessCondition = { ontology: S, path: "$.score", op: ">=", value: 80, issuer: S };
const erep60: AccessCondition = { ontology: E, path: "$.score", op: ">=", value: 60, issuer: E, maxAgeSeconds: 3600 };
/** `erep60` without its issuer: nobody ever meets it, and no part of a statement may mistake one for the other. */
const unsigned60: AccessCondition = { ontology: E, path: "$.score", op: ">=", value: 60, maxAgeSeconds: 3600 };

const GRANTS: readonly (readonly (readonly [EName, number])[])[] = [
  [],
  [[A, 5]],
  [[P, 6]],
  [[G, 3]],
  [[G2, 10]],
  [
    [G, 3],
    [G2, 10],
  ],
  [
    [A, 5],
    [P, 6],
  ],
  [
    [G, 3],
    [A, 5],
  ],
  [
    [P, 6],
    [G2, 10],
    [G, 3],
  ],
  [
    [G2, 10],
    [P, 6],
    [A, 5],
    [G, 3],
  ],
  [[B, 15]],
  [
    [B, 15],
    [G2, 10],
  ],
  [
    [GX, 15],
    [O, 15],
    [Z, 15],
  ],
];
const DENIED: readonly (readonly EName[])[] = [[], [A], [B], [P], [G], [G2], [GX], [O, Z]];
const DENY_CONDITIONS: readonly (readonly AccessCondition[])[] = [[], [sec80], [erep60], [unsigned60]];
const REQUIRED: readonly (readonly (readonly AccessCondition[])[])[] = [
  [],
  [[]],
  [[sec80]],
  [[sec80, erep60]],
  [[erep60], [sec80]],
  [[unsigned60]],
];

/** Builds every combination of the table's grants, denials, deny conditions and ontology groups: 2,496 policies. */
export function testPolicies(): readonly AccessPolicy[] {
  const grants = GRANTS.map((pairs) => pairs.map(([name, perms]) => ({ ename: name, perms })));
  return grants.flatMap((grant) =>
    DENIED.flatMap((enames) =>
      DENY_CONDITIONS.flatMap((conditions) =>
        REQUIRED.map((require) =>
          parseAccessPolicy({ grants: grant, denials: { enames, conditions }, default_perms: 9, require }),
        ),
      ),
    ),
  );
}

/** An asker and the facts about it, written by hand from the parties above. */
export interface TestAsker {
  readonly says: string;
  readonly asker: PolicyAsker;
  readonly facts: PolicyFacts;
}

const ofA = { memberOf: [G, G2], deniedThrough: [G, G2, GX], passed: [erep60] };
const ofP = { memberOf: [G2], deniedThrough: [G2, GX], passed: [sec80] };

/** Every kind of asker: A has a reputation of 72 and no security, P a security of 84 and no reputation, B neither. */
export const TEST_ASKERS: readonly TestAsker[] = [
  asking("nobody", {}, {}),
  asking("nobody, naming A", { onBehalfOf: A }, { deniedThrough: [G, G2, GX] }),
  asking("A", { ename: A }, ofA),
  asking("A, naming B", { ename: A, onBehalfOf: B }, ofA),
  asking("B", { ename: B }, { memberOf: [G], deniedThrough: [G, GX] }),
  asking("P", { platform: P }, ofP),
  asking("P, naming B", { platform: P, onBehalfOf: B }, { ...ofP, deniedThrough: [G, G2, GX] }),
  asking("A through P", { ename: A, platform: P }, { ...ofA, passed: [sec80] }),
  asking("A through P, naming B", { ename: A, platform: P, onBehalfOf: B }, { ...ofA, passed: [sec80] }),
  asking("a legacy token", { authenticated: true }, {}),
  asking("a legacy token, naming A", { authenticated: true, onBehalfOf: A }, { deniedThrough: [G, G2, GX] }),
];

function asking(
  says: string,
  who: Partial<PolicyAsker>,
  found: {
    readonly memberOf?: readonly EName[];
    readonly deniedThrough?: readonly EName[];
    readonly passed?: readonly AccessCondition[];
  },
): TestAsker {
  const { ename: person = null, platform = null, onBehalfOf = null } = who;
  return {
    says,
    asker: { authenticated: who.authenticated ?? (person ?? platform) !== null, ename: person, platform, onBehalfOf },
    facts: {
      memberOf: new Set(found.memberOf),
      deniedThrough: new Set(found.deniedThrough ?? [GX]),
      passed: new Set(found.passed?.map(conditionKey)),
    },
  };
}
