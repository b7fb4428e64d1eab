import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from "graphql";
import { VAULT_ERRORS } from "../src/errors.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { startVault } from "./support/start-vault.ts";

const SCHEMA_FILE = new URL("../src/graphql/schema.graphql", import.meta.url);
const sorted = (schema: ReturnType<typeof buildSchema>) => printSchema(lexicographicSortSchema(schema));

test("the schema file is what the running server has, and is served to clients [V-DEC-345]", async () => {
  await using vault = await startVault({ introspection: true });
  const file = await readFile(SCHEMA_FILE, "utf8");
  const { body } = await askGraphQL(vault, await vault.createOwner(), getIntrospectionQuery());
  assert.equal(sorted(buildClientSchema(body.data)), sorted(buildSchema(file)));
  const served = await fetch(`${vault.url}/schema.graphql`);
  assert.equal(await served.text(), file);
});

test("types and inputs have the names that clients' documents name [V-DEC-340] [V-DEC-341] [V-QRY-003] [V-QRY-006] [V-QRY-010]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const document = `query Q($id: ID!, $filter: MetaEnvelopeFilterInput, $n: Int, $c: String) {
    metaEnvelope(id: $id) { id ontology envelopes { id ontology fieldKey value valueType } parsed }
    metaEnvelopes(filter: $filter, first: $n, after: $c) { totalCount }
    metaEnvelopeHistory(id: $id, first: $n, after: $c) { totalCount }
  }`;
  const filter = { ontologyId: "x", search: { term: "a", caseSensitive: true, fields: ["f"], mode: "STARTS_WITH" } };
  const { status, body } = await askGraphQL(vault, owner, document, { id: "x", filter, n: 5, c: null });
  assert.deepEqual([status, body.errors], [200, undefined]);
});

test("health and schema need no X-ENAME [V-DEC-365]", async () => {
  await using vault = await startVault();
  assert.equal((await ask(vault, "/healthz")).body.status, "ok");
  assert.equal((await fetch(`${vault.url}/schema.graphql`)).status, 200);
});

test("each code of the closed table has a test that expects it [V-ERR-014]", async () => {
  const files = [
    "access-policies",
    "handshake",
    "owner-access-policy",
    "platform-access",
    "bad-input",
    "binding-documents",
    "binding-signatures",
    "bulk-create",
    "callers",
    "cross-origin",
    "faults",
    "files",
    "graphql-requests",
    "headers",
    "idempotency",
    "keyed-facts",
    "limits",
    "history-and-logs",
    "keys",
    "leaving",
    "moving",
    "erasing",
    "legacy-operations",
    "paging",
    "rollback",
    "search",
    "update-and-remove",
    "whois-and-public-key",
    // A body that does not arrive takes 30 s at a vault; what refuses it is tested with less.
    "../../../packages/service-kit/src/http/json-body",
  ];
  const texts = await Promise.all(files.map((file) => readFile(new URL(`./${file}.test.ts`, import.meta.url), "utf8")));
  const untested = Object.keys(VAULT_ERRORS).filter((code) => !texts.some((text) => text.includes(`"${code}"`)));
  assert.deepEqual(untested, []);
});
