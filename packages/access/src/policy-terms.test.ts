import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessCondition, parseAccessPolicy } from "@dataspace/protocol/access-policy";
import type { PolicyAsker } from "./policy-asker.ts";
import { conditionKey, policyTerms } from "./policy-terms.ts";
import { PARTY } from "./test-policies.ts";

const { A, B, G, Z, E, S } = PARTY;
const erep: AccessCondition = { ontology: E, path: "$.score", op: ">=", value: 60, issuer: E };
const sec: AccessCondition = { ontology: S, path: "$.score", op: "<", value: 0.5, issuer: S, maxAgeSeconds: 60 };

const asker = (ename: PolicyAsker["ename"], more: Partial<PolicyAsker> = {}): PolicyAsker => ({
  ...{ authenticated: true, ename, platform: null, onBehalfOf: null },
  ...more,
});

test("policyTerms() lists each eName and each condition that matters to an asker once, denials first [decisions V23, V24]", () => {
  const policy = parseAccessPolicy({
    grants: [
      { ename: G, perms: 1 },
      { ename: A, perms: 15 },
    ],
    denials: { enames: [B, G, B], conditions: [sec] },
    require: [[], [erep, sec], [{ ...erep }]],
  });
  assert.deepEqual(policyTerms(policy, asker(Z)), { enames: [B, G, A], deniedENames: [B, G], conditions: [sec, erep] });
  assert.deepEqual(
    policyTerms(policy, asker(A)),
    { enames: [B, G], deniedENames: [B, G], conditions: [sec] },
    "a grant names it",
  );
  assert.deepEqual(policyTerms(policy, asker(Z, { platform: A })), {
    enames: [B, G],
    deniedENames: [B, G],
    conditions: [sec],
  });
  assert.deepEqual(policyTerms(policy, asker(Z, { onBehalfOf: A })), {
    enames: [B, G, A],
    deniedENames: [B, G],
    conditions: [sec, erep],
  });
  for (const denied of [asker(B), asker(A, { platform: B }), asker(A, { onBehalfOf: B })]) {
    assert.deepEqual(policyTerms(policy, denied), { enames: [], deniedENames: [], conditions: [] });
  }
  assert.deepEqual(policyTerms(parseAccessPolicy({}), asker(A)), { enames: [], deniedENames: [], conditions: [] });
});

test("conditionKey() does not depend on the order of members, and differs for different conditions [decision V24]", () => {
  const reordered: AccessCondition = { issuer: E, value: 60, op: ">=", path: "$.score", ontology: E };
  assert.equal(conditionKey(erep), conditionKey(reordered));
  assert.equal(conditionKey({ ...erep, value: 0 }), conditionKey({ ...erep, value: -0 }));
  const { issuer: _, ...unsigned } = erep;
  const others: readonly AccessCondition[] = [
    unsigned,
    { ...erep, ontology: S },
    { ...erep, path: "$.scores" },
    { ...erep, op: ">" },
    { ...erep, value: 60.5 },
    { ...erep, issuer: S },
    { ...erep, maxAgeSeconds: 60 },
  ];
  assert.equal(new Set([erep, ...others].map(conditionKey)).size, 8);
});
