import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY, ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import type { Listener } from "./listener.ts";
import { mayHear } from "./may-hear.ts";

const ename = (digit: string) => parseEName(`@00000000-0000-4000-8000-00000000000${digit}`);
const [OWNER, A, B, P, G] = [ename("1"), ename("a"), ename("b"), ename("c"), ename("d")];

const person = (who: typeof A): Listener => ({
  ename: who,
  platform: null,
  isPlatform: false,
  isDev: false,
  evidence: null,
});
const platform: Listener = { ename: P, platform: P, isPlatform: true, isDev: false, evidence: null };
const named: Listener = { ename: B, platform: "blabsy", isPlatform: true, isDev: false, evidence: null };
const notCounted: Listener = { ename: P, platform: P, isPlatform: false, isDev: false, evidence: null };
const dev: Listener = { ename: null, platform: null, isPlatform: true, isDev: true, evidence: null };

const receives = (
  policy: object,
  listener: Listener,
  schemaId = "note",
  terms: Partial<OwnerPolicyTerms> = {},
): boolean =>
  mayHear(
    {
      dsid: OWNER,
      schemaId,
      domain: DOMAIN_BY_ONTOLOGY.get(schemaId),
      policy: { acl: null, _acl: null, owner: null, ...policy },
      terms: { ...DEFAULT_OWNER_TERMS, ...terms },
    },
    listener,
  );

const block = (more: object): object => ({ _acl: { v: 1, ...more } });
const READ = 1;
const ALL_BUT_READ = 14;
const condition = { ontology: G, path: "$.score", op: ">=", value: 1, issuer: G };

const underAcl: readonly (readonly [string, object, Listener, boolean])[] = [
  ["a person who is granted READ receives", block({ grants: [{ ename: A, perms: READ }] }), person(A), true],
  [
    "a person who is granted all but READ does not",
    block({ grants: [{ ename: A, perms: ALL_BUT_READ }] }),
    person(A),
    false,
  ],
  ["a person whom no grant names does not", block({ grants: [{ ename: A, perms: READ }] }), person(B), false],
  ["a platform receives as the platform that it is", block({ grants: [{ ename: P, perms: READ }] }), platform, true],
  ["a platform that no grant names does not, though it is one", block({}), platform, false],
  ["nor does one that is known by a name alone", block({}), named, false],
  ["nor the development stack's consumer", block({}), dev, false],
  ["the owner is an asker like any other", block({}), person(OWNER), false],
  [
    "whoever is authenticated receives what opens to all",
    block({ default_perms: READ, require: [[]] }),
    person(B),
    true,
  ],
  ["also the development stack's consumer", block({ default_perms: READ, require: [[]] }), dev, true],
  ["without READ among the default permissions nobody", block({ default_perms: 4, require: [[]] }), person(B), false],
  ["a condition is met by nobody here", block({ default_perms: READ, require: [[condition]] }), person(B), false],
  [
    "a condition among the denials holds",
    block({ grants: [{ ename: A, perms: READ }], denials: { conditions: [condition] } }),
    person(A),
    false,
  ],
  [
    "a denied person does not hear",
    block({ grants: [{ ename: A, perms: READ }], denials: { enames: [A] } }),
    person(A),
    false,
  ],
  [
    "a denied eName may be a group that holds the person",
    block({ grants: [{ ename: A, perms: READ }], denials: { enames: [G] } }),
    person(A),
    false,
  ],
  ["a group's grant gives nothing here", block({ grants: [{ ename: G, perms: READ }] }), person(A), false],
  [
    "a block that cannot be read admits nobody",
    { _acl: { v: 2, grants: [{ ename: A, perms: READ }] } },
    person(A),
    false,
  ],
  ["a block beats an array that lets read", { acl: ["*"], ...block({}) }, person(A), false],
];

for (const [says, policy, listener, expected] of underAcl) {
  test(`under _acl: ${says} [V-EVT-182] [decisions E4, V23, V24]`, () => {
    assert.equal(receives(policy, listener), expected);
  });
}

const underArray: readonly (readonly [string, readonly string[], Listener, boolean])[] = [
  ["a listed person receives [V-EVT-183]", [A], person(A), true],
  ["another does not", [A], person(B), false],
  ["the owner receives an empty array", [], person(OWNER), true],
  ["everybody with a credential receives `*` [V-EVT-183]", ["*"], person(B), true],
  [
    "also one who has no eName",
    ["*"],
    { ename: null, platform: null, isPlatform: false, isDev: false, evidence: null },
    true,
  ],
  ["every platform receives, whoever is listed [V-EVT-184]", [A], platform, true],
  ["also one known by a name, and of an empty array [V-EVT-184]", [], named, true],
  ["a platform that no longer counts as one does not [V-EVT-185]", [A], notCounted, false],
  ["the development stack's consumer receives [V-EVT-184]", [], dev, true],
];

for (const [says, acl, listener, expected] of underArray) {
  test(`under a legacy array: ${says} [decision E4]`, () => {
    assert.equal(receives({ acl }, listener), expected);
  });
}

for (const [says, ontology] of [
  ["binding documents", BINDING_DOCUMENT_ONTOLOGY],
  ["access policies", ACCESS_POLICY_ONTOLOGY],
] as const) {
  test(`${says} go only where their array or policy itself admits, the consumer dev excepted [V-EVT-187]`, () => {
    assert.equal(receives({ acl: [OWNER] }, platform, ontology), false);
    assert.equal(receives({ acl: [P] }, platform, ontology), true);
    assert.equal(receives({ acl: ["*"] }, platform, ontology), true);
    assert.equal(receives({ acl: [OWNER] }, dev, ontology), true);
    assert.equal(receives(block({ grants: [{ ename: P, perms: READ }] }), platform, ontology), true);
    assert.equal(receives(block({}), platform, ontology), false);
  });
}

test("a record of which neither an array nor a block is known is heard by nobody [decision E4]", () => {
  for (const listener of [person(OWNER), platform, dev]) assert.equal(receives({}, listener), false);
});

const { SocialMediaPost: POST, Ledger } = ONTOLOGY_ID;
const proven = (claim: { level?: "L1" | "L3"; domains?: readonly string[] } = {}): Listener => ({
  ...notCounted,
  evidence: { platform: P, certified: { level: "L3", domains: ["social"], ...claim }, status: null },
});

test("a platform with evidence receives what both gates and the record's policy admit [V-EVT-185] [V-EVT-186] [decisions E4, E9]", () => {
  const granted = block({ grants: [{ ename: P, perms: READ }] });
  assert.equal(receives({ acl: [] }, proven(), POST), true);
  assert.equal(receives(granted, proven(), POST), true);
  assert.equal(receives(block({}), proven(), POST), false);
  assert.equal(receives({ acl: ["*"] }, proven(), Ledger), false, "the certificate has no such domain");
  assert.equal(receives({ acl: [P] }, proven(), Ledger), false);
  assert.equal(receives(granted, proven(), Ledger), false);
  assert.equal(receives({ acl: ["*"] }, proven(), "note"), false, "an ontology without a domain");
  for (const ontology of [BINDING_DOCUMENT_ONTOLOGY, ACCESS_POLICY_ONTOLOGY]) {
    assert.equal(receives({ acl: ["*", P] }, proven({ domains: ["unclassified"] }), ontology), false);
  }
  assert.equal(receives({ acl: [] }, proven({ level: "L1" }), POST), false);
  assert.equal(receives({ acl: [] }, { ...platform, ...proven({ domains: [] }), isPlatform: true }, POST), false);
  assert.equal(receives({}, proven(), POST), false);
});

test("the owner's newest policy decides over a platform with evidence, and one that cannot be read admits none [V-EVT-186] [P-OAP-010]", () => {
  const stricter: readonly Partial<OwnerPolicyTerms>[] = [
    { deniedDomains: ["social"] },
    { allowedDomains: [] },
    { minimumLevel: "L4" },
    { reputationEngine: G, minimumReputation: 1 },
  ];
  for (const terms of stricter) assert.equal(receives({ acl: [] }, proven(), POST, terms), false);
  assert.equal(
    receives({ acl: [] }, platform, POST, { allowedDomains: [] }),
    true,
    "who is not evidence platform meets no gate",
  );
  assert.equal(receives({ acl: [], owner: { statement: 1 } }, proven(), POST), false);
});
