import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMAIN_BY_ONTOLOGY } from "./ontology-domain.ts";
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
