import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMAIN_BY_ONTOLOGY, extendDomains } from "./ontology-domain.ts";
import { ACCESS_POLICY_ONTOLOGY, BINDING_DOCUMENT_ONTOLOGY, FILE_ONTOLOGY, ONTOLOGY_ID } from "./ontology-id.ts";

test("DOMAIN_BY_ONTOLOGY leaves binding documents, access policies and access grants unclassified [decision A5]", () => {
  for (const ontology of [BINDING_DOCUMENT_ONTOLOGY, ACCESS_POLICY_ONTOLOGY, ONTOLOGY_ID.AccessGrant, "unknown"]) {
    assert.equal(DOMAIN_BY_ONTOLOGY.get(ontology), undefined);
  }
});

test("DOMAIN_BY_ONTOLOGY gives every other known ontology one domain [decision A5]", () => {
  const known = Object.values(ONTOLOGY_ID).filter((ontology) => ontology !== ONTOLOGY_ID.AccessGrant);
  assert.equal(new Set(known).size, known.length);
  assert.deepEqual(new Set(DOMAIN_BY_ONTOLOGY.keys()), new Set([...known, FILE_ONTOLOGY]));
  assert.equal(DOMAIN_BY_ONTOLOGY.get(ONTOLOGY_ID.TaskNote), "work");
  assert.equal(DOMAIN_BY_ONTOLOGY.get(FILE_ONTOLOGY), "files");
  assert.equal(DOMAIN_BY_ONTOLOGY.get("550e8400-e29b-41d4-a716-446655440001"), "social");
});

test("extendDomains adds an operator's ontologies and keeps the known ones [decision A5]", () => {
  const extended = extendDomains({ "my-notes": "social", [FILE_ONTOLOGY]: "files" });
  assert.ok("value" in extended);
  assert.equal(extended.value.get("my-notes"), "social");
  assert.equal(extended.value.get(FILE_ONTOLOGY), "files");
  assert.equal(extended.value.size, DOMAIN_BY_ONTOLOGY.size + 1);
});

test("extendDomains names what is wrong with an addition [decision A5]", () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`o${n}`, "social"]));
  const faults: readonly (readonly [unknown, RegExp])[] = [
    [null, /JSON object/],
    [["my-notes"], /JSON object/],
    [many, /at most 10000/],
    [{ "": "social" }, /no ontology/],
    [{ ["x".repeat(257)]: "social" }, /no ontology/],
    [{ "my-notes": "Social" }, /"my-notes" must have a domain/],
    [{ "my-notes": 1 }, /"my-notes" must have a domain/],
    [{ "my-notes": "unclassified" }, /other than unclassified/],
    [{ [ONTOLOGY_ID.User]: "social" }, /has the domain identity/],
    [{ [BINDING_DOCUMENT_ONTOLOGY]: "identity" }, /stays unclassified/],
    [{ [ACCESS_POLICY_ONTOLOGY]: "identity" }, /stays unclassified/],
  ];
  for (const [added, fault] of faults) {
    const extended = extendDomains(added);
    assert.ok("fault" in extended);
    assert.match(extended.fault, fault);
  }
});
