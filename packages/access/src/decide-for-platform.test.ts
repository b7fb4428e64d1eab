import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { CERTIFICATION_LEVELS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import fc from "fast-check";
import { reachableOntologies } from "./decide-by-gates.ts";
import { decideByPolicy } from "./decide-by-policy.ts";
import { decideForPlatform, type PlatformQuestion } from "./decide-for-platform.ts";
import { PARTY, TEST_ASKERS, testPolicies } from "./test-policies.ts";

const RUNS = { numRuns: 5_000 };
const domains = [...new Set(DOMAIN_BY_ONTOLOGY.values()), "health"];
const someDomains = fc.subarray(domains);
const policies = testPolicies();
const facts = TEST_ASKERS.find(({ says }) => says === "P")?.facts;
assert.ok(facts);

const terms: fc.Arbitrary<OwnerPolicyTerms> = fc.record({
  minimumLevel: fc.constantFrom(...CERTIFICATION_LEVELS),
  reputationEngine: fc.constantFrom(null, null, PARTY.E),
  minimumReputation: fc.constantFrom(null, 0, 40),
  allowedDomains: fc.option(someDomains),
  deniedDomains: fc.oneof(fc.constant([]), fc.subarray(domains, { maxLength: 3 })),
});
const question: fc.Arbitrary<PlatformQuestion> = fc.record({
  gates: fc.record({
    certified: fc.record({ level: fc.constantFrom(...CERTIFICATION_LEVELS), domains: someDomains }),
    terms,
    domain: fc.constantFrom(...domains, undefined),
    reputation: fc.constantFrom(undefined, 0, 39, 40, 100),
  }),
  platform: fc.constant(PARTY.P),
  onBehalfOf: fc.constantFrom(null, PARTY.B),
  policy: fc.oneof(fc.constant(null), fc.constantFrom(...policies)),
  permission: fc.constantFrom("READ", "CREATE", "UPDATE", "DELETE"),
  facts: fc.constant(facts),
});

test("whatever is allowed is within the certificate, the owner's policy and the record's own policy [P-DEC-040] [P-DEC-043]", () => {
  let allowed = 0;
  fc.assert(
    fc.property(question, (asked) => {
      if (!decideForPlatform(asked).allow) return;
      allowed += 1;
      const { domain, certified, terms: of, reputation } = asked.gates;
      assert.ok(domain !== undefined && certified.domains.includes(domain));
      assert.ok(!of.deniedDomains.includes(domain));
      assert.ok(of.allowedDomains === null || of.allowedDomains.includes(domain));
      assert.ok(certified.level >= of.minimumLevel);
      if (of.reputationEngine !== null && of.minimumReputation !== null) {
        assert.ok(reputation !== undefined && reputation >= of.minimumReputation);
      }
      if (asked.policy === null) return;
      const asker = { authenticated: true, ename: null, platform: asked.platform, onBehalfOf: asked.onBehalfOf };
      assert.ok(decideByPolicy({ ...asked, policy: asked.policy, asker }).allow);
    }),
    RUNS,
  );
  assert.ok(allowed > 50, `only ${allowed}`);
});

test("a stricter owner's policy never turns deny into allow [P-OAP-007] [P-DEC-040]", () => {
  fc.assert(
    fc.property(question, fc.constantFrom(...domains), someDomains, (asked, denied, list) => {
      if (decideForPlatform(asked).allow) return;
      const of = asked.gates.terms;
      const level = Math.min(CERTIFICATION_LEVELS.indexOf(of.minimumLevel) + 1, 5);
      const stricter: readonly Partial<OwnerPolicyTerms>[] = [
        { deniedDomains: [...of.deniedDomains, denied] },
        { allowedDomains: of.allowedDomains === null ? list : of.allowedDomains.filter((one) => list.includes(one)) },
        { minimumLevel: CERTIFICATION_LEVELS[level] as OwnerPolicyTerms["minimumLevel"] },
        ...(of.minimumReputation === null ? [] : [{ minimumReputation: of.minimumReputation + 1 }]),
      ];
      for (const change of stricter) {
        const narrowed = { ...asked, gates: { ...asked.gates, terms: { ...of, ...change } } };
        assert.equal(decideForPlatform(narrowed).allow, false);
      }
    }),
    RUNS,
  );
});

test("the set of ontologies that goes into statements says what each single decision says [P-DEC-043]", () => {
  const ontologies = [...DOMAIN_BY_ONTOLOGY.keys(), "unlisted"];
  fc.assert(
    fc.property(question, (asked) => {
      const reachable = new Set(reachableOntologies(asked.gates, DOMAIN_BY_ONTOLOGY));
      for (const ontology of ontologies) {
        const gates = { ...asked.gates, domain: DOMAIN_BY_ONTOLOGY.get(ontology) };
        assert.equal(decideForPlatform({ ...asked, gates, policy: null }).allow, reachable.has(ontology));
      }
    }),
    { numRuns: 500 },
  );
});
