import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { BINDING_DOCUMENT_ONTOLOGY, ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import { decideByGates, type GateQuestion, reachableOntologies } from "./decide-by-gates.ts";
import { PARTY } from "./test-policies.ts";

const certified = { level: "L3", domains: ["social", "finance"] } as const;
const asking = (change: Partial<GateQuestion>, terms: Partial<GateQuestion["terms"]> = {}): GateQuestion => ({
  certified,
  domain: "social",
  reputation: undefined,
  ...change,
  terms: { ...DEFAULT_OWNER_TERMS, ...terms },
});
const rated = { reputationEngine: PARTY.E, minimumReputation: 40 };

const CASES: readonly (readonly [string, GateQuestion, string | undefined])[] = [
  ["a certified domain under no policy", asking({}), undefined],
  ["a domain that the certificate does not have", asking({ domain: "work" }), "DOMAIN_NOT_CERTIFIED"],
  ["an ontology without a domain", asking({ domain: undefined }), "DOMAIN_NOT_CERTIFIED"],
  [
    "a certificate that names the word unclassified",
    asking({ certified: { level: "L5", domains: ["unclassified"] }, domain: undefined }),
    "DOMAIN_NOT_CERTIFIED",
  ],
  ["a denied domain", asking({}, { deniedDomains: ["social"] }), "DOMAIN_REFUSED_BY_OWNER"],
  [
    "a domain both denied and allowed",
    asking({}, { deniedDomains: ["social"], allowedDomains: ["social"] }),
    "DOMAIN_REFUSED_BY_OWNER",
  ],
  ["a domain outside the list", asking({}, { allowedDomains: ["finance"] }), "DOMAIN_OUTSIDE_ALLOWLIST"],
  ["an empty list", asking({}, { allowedDomains: [] }), "DOMAIN_OUTSIDE_ALLOWLIST"],
  ["a domain of the list", asking({}, { allowedDomains: ["social"] }), undefined],
  [
    "an allowed domain that is not certified",
    asking({ domain: "work" }, { allowedDomains: ["work"] }),
    "DOMAIN_NOT_CERTIFIED",
  ],
  ["a level below the policy", asking({}, { minimumLevel: "L4" }), "LEVEL_BELOW_POLICY"],
  ["a level equal to the policy", asking({}, { minimumLevel: "L3" }), undefined],
  ["L1 under no policy", asking({ certified: { level: "L1", domains: ["social"] } }), "LEVEL_BELOW_POLICY"],
  ["L2 under no policy", asking({ certified: { level: "L2", domains: ["social"] } }), undefined],
  ["no reputation where one is asked for", asking({}, rated), "REPUTATION_ENGINE_NOT_ACCEPTED"],
  ["too little reputation", asking({ reputation: 39.9 }, rated), "REPUTATION_BELOW_POLICY"],
  ["just enough reputation", asking({ reputation: 40 }, rated), undefined],
  ["an engine without a minimum", asking({}, { reputationEngine: PARTY.E }), undefined],
  ["a minimum without an engine", asking({}, { minimumReputation: 40 }), undefined],
];

test("the certificate decides first, then the owner's policy, each for its own reason [P-OAP-006] [P-OAP-007] [P-OAP-009] [P-OAP-011] [P-OAP-012] [P-OAP-013] [P-OAP-014] [P-DEC-041] [P-DEC-042]", () => {
  for (const [says, question, reason] of CASES) assert.equal(decideByGates(question), reason, says);
});

test("reachable ontologies are those whose domain both gates admit [P-DEC-043] [decision A5]", () => {
  const reachable = reachableOntologies(
    { certified, terms: { ...DEFAULT_OWNER_TERMS, deniedDomains: ["finance"] }, reputation: undefined },
    DOMAIN_BY_ONTOLOGY,
  );
  const { SocialMediaPost, Bookmark, CommunityActivity, Reference } = ONTOLOGY_ID;
  assert.deepEqual(new Set(reachable), new Set([SocialMediaPost, Bookmark, CommunityActivity, Reference]));
  const everything = { level: "L5" as const, domains: [...new Set(DOMAIN_BY_ONTOLOGY.values())] };
  const all = reachableOntologies(
    { certified: everything, terms: DEFAULT_OWNER_TERMS, reputation: undefined },
    DOMAIN_BY_ONTOLOGY,
  );
  assert.equal(all.length, DOMAIN_BY_ONTOLOGY.size);
  assert.ok(!all.includes(BINDING_DOCUMENT_ONTOLOGY));
});
