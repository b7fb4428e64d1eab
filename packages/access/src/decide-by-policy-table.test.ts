import assert from "node:assert/strict";
import { test } from "node:test";
import type { AccessCondition, AccessPolicy } from "@dataspace/protocol/access-policy";
import { decideByPolicy } from "./decide-by-policy.ts";
import { PERMISSIONS, type Permission } from "./permission.ts";
import type { PolicyAsker } from "./policy-asker.ts";
import { PARTY, TEST_ASKERS, testPolicies } from "./test-policies.ts";

const { A, B, P, G, G2, GX, S, E } = PARTY;

// The facts of the table, stated independently: not who passes what, but who is in which group and has which reading.
const GROUPS: Readonly<Record<string, readonly string[]>> = { [G]: [A, B], [G2]: [A, P] };
const UNREACHABLE: readonly string[] = [GX];
const READINGS: readonly { of: string; by: string; ontology: string; score: number }[] = [
  { of: A, by: E, ontology: E, score: 72 },
  { of: P, by: S, ontology: S, score: 84 },
];
const LETTERS = ["", "R", "C", "RC", "U", "RU", "CU", "RCU", "D", "RD", "CD", "RCD", "UD", "RUD", "CUD", "RCUD"];

test("a second implementation decides every row of the table alike [V-ACL-040] [V-ACL-041] [V-ACL-042] [V-ACL-043] [V-ACL-044] [V-ACL-045] [V-ACL-046] [V-ACL-047] [V-ACL-048] [V-ACL-049] [V-ACL-050] [V-ACL-051] [V-GUARD-011] [V-GUARD-012] [V-GUARD-014] [T-23]", () => {
  const policies = testPolicies();
  const allowed = { true: 0, false: 0 };
  for (const { says, asker, facts } of TEST_ASKERS) {
    for (const policy of policies) {
      const letters = lettersAllowed(policy, asker);
      for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
        const { allow } = decideByPolicy({ policy, asker, permission, facts });
        if (allow !== letters.includes(permission.charAt(0))) {
          assert.fail(`${says} ${permission}: ${allow} under ${JSON.stringify(policy)}`);
        }
        allowed[`${allow}`] += 1;
      }
    }
  }
  assert.equal(allowed.true + allowed.false, 2496 * 11 * 4);
  assert.ok(allowed.true > 5000 && allowed.false > 5000, JSON.stringify(allowed));
});

/**
 * A second implementation: it narrows a text of letters step by step, from the words of the rules. It shares nothing
 * with the decision: it has no facts, no keys and no bit operations.
 */
function lettersAllowed(policy: AccessPolicy, asker: PolicyAsker): string {
  // Denials: named, or a group that has one of them or cannot be reached, or a condition that does not pass.
  const said = [asker.ename, asker.platform, asker.onBehalfOf].flatMap((party) => party ?? []);
  for (const denied of policy.denials.enames) {
    if (UNREACHABLE.includes(denied)) return "";
    for (const party of said) {
      if (party === denied || GROUPS[denied]?.includes(party)) return "";
    }
  }
  const subject = asker.platform ?? asker.ename ?? "nobody";
  for (const condition of policy.denials.conditions) {
    if (!meets(subject, condition)) return "";
  }

  // Grants in three ranks; only the first rank that is not empty counts.
  const drawers: [person: string, platform: string, groups: string] = ["", "", ""];
  for (const { ename, perms } of policy.grants) {
    const letters = LETTERS[perms] ?? "";
    const members = GROUPS[ename] ?? [];
    if (asker.ename !== null && ename === asker.ename) drawers[0] += letters;
    else if (asker.platform !== null && ename === asker.platform) drawers[1] += letters;
    else if (members.some((member) => member === asker.ename || member === asker.platform)) drawers[2] += letters;
  }
  for (const drawer of drawers) {
    if (drawer !== "") return drawer;
  }

  // Ontology groups: an authenticated subject, and one group whose conditions are all met.
  if (!asker.authenticated) return "";
  for (const group of policy.require) {
    const unmet = group.filter((condition) => !meets(subject, condition));
    if (unmet.length === 0) return LETTERS[policy.default_perms] ?? "";
  }
  return "";
}

// Every condition of the table is `>=` at `$.score`.
function meets(subject: string, { ontology, issuer, value }: AccessCondition): boolean {
  const reading = READINGS.find((one) => one.of === subject && one.by === issuer && one.ontology === ontology);
  return reading !== undefined && reading.score >= value;
}
