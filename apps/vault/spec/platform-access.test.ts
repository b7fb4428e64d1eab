import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { BINDING_DOCUMENT_ONTOLOGY, FILE_ONTOLOGY, ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { setPolicy } from "./support/owner-policies.ts";
import { createPerson, type Person, platformHeaders, platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const { SocialMediaPost: POST, Ledger, Message, User } = ONTOLOGY_ID;
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } errors { code } } }`;
const ROLLBACK = `mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) {
  version errors { field message code } } }`;

type Headers = Readonly<Record<string, string>>;

async function createAs(vault: TestVault, owner: Person, headers: Headers, input: object) {
  return askGraphQL(vault, owner.ename, DOCUMENTS.create, { input: { payload: { word: "pear" }, ...input } }, headers);
}

async function createdBy(vault: TestVault, owner: Person, input: object): Promise<string> {
  const { body } = await createAs(vault, owner, await owner.at(owner.ename), input);
  assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  return body.data.createMetaEnvelope.metaEnvelope.id;
}

/** All that a caller is shown: by lists with their counts and by the log, each as ids. */
async function shownTo(vault: TestVault, owner: Person, headers: Headers) {
  const list = async (filter: object) => {
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.list, { first: 100, filter }, headers);
    const { edges, totalCount } = body.data.metaEnvelopes;
    assert.equal(totalCount, edges.length);
    return edges.map(({ node }: { node: { id: string } }) => node.id) as string[];
  };
  const all = await list({});
  assert.deepEqual(await list({ search: { term: "pear" } }), all);
  const old = "{ getAllEnvelopes { id } }";
  const envelopes = (await askGraphQL(vault, owner.ename, old, {}, headers)).body.data.getAllEnvelopes;
  assert.deepEqual(
    envelopes.map(({ id }: { id: string }) => id.slice(0, id.lastIndexOf("."))),
    all,
  );
  const logs = await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner.ename, ...headers } });
  return { all, logged: new Set(logs.body.logs.map((entry: { metaEnvelopeId: string }) => entry.metaEnvelopeId)) };
}

test("an evidence session sees the records of its domains in every read, and nothing of any other [P-DEC-040] [P-DEC-043] [V-DEC-561] [V-DEC-567]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const platform = parseEName("5c0e1b52-6b0a-4d0f-9d8e-2f5b7a1c9e01");
  const session = platformSession(vault, owner.ename, { platform, domains: ["social", "communication"] });
  const grants = (ename: string, perms: number) => ({ grants: [{ ename, perms }] });
  const inputs: readonly (readonly [object, boolean])[] = [
    [{ ontology: POST }, true],
    [{ ontology: Ledger }, false],
    [{ ontology: Message, acl: [] }, true],
    [{ ontology: "unlisted", acl: ["*"] }, false],
    [{ ontology: POST.toUpperCase(), acl: ["*"] }, false],
    [{ ontology: POST, _acl: grants(platform, 1) }, true],
    [{ ontology: Ledger, _acl: grants(platform, 15) }, false],
    [{ ontology: POST, _acl: grants(owner.ename, 15) }, false],
    [{ ontology: POST, _acl: { default_perms: 1, require: [[]] } }, true],
    [{ ontology: POST, _acl: { default_perms: 1, require: [[]], denials: { enames: [platform] } } }, false],
    [{ ontology: User, acl: [platform] }, false],
  ];
  const ids: string[] = [];
  for (const [input] of inputs) ids.push(await createdBy(vault, owner, input));
  const expected = ids.filter((_, index) => inputs[index]?.[1]);
  const shown = await shownTo(vault, owner, session);
  assert.deepEqual(shown.all, expected);
  assert.deepEqual(shown.logged, new Set(expected));
  for (const [index, id] of ids.entries()) {
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, session);
    assert.equal(body.data.metaEnvelope !== null, inputs[index]?.[1], `read ${index}`);
    const history = (await askGraphQL(vault, owner.ename, DOCUMENTS.history, { id }, session)).body.data;
    assert.equal(history.metaEnvelopeHistory.totalCount, inputs[index]?.[1] ? 1 : 0, `history ${index}`);
  }
  assert.equal((await shownTo(vault, owner, platformHeaders(vault))).all.length, 8, "a legacy token meets no gates");
});

test("an evidence session writes in its domains alone, and learns which gate is closed [P-OAP-011] [P-DEC-040] [V-DEC-562]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename, { domains: ["social", "files"] });
  const at = (document: string, variables: object) => askGraphQL(vault, owner.ename, document, variables, session);
  const created = await createAs(vault, owner, session, { ontology: POST, acl: ["*"] });
  const { id } = created.body.data.createMetaEnvelope.metaEnvelope;
  const ledger = await createdBy(vault, owner, { ontology: Ledger, acl: ["*"] });
  assert.equal(refusalOf(await createAs(vault, owner, session, { ontology: Ledger })).code, "DOMAIN_NOT_CERTIFIED");
  assert.equal(refusalOf(await createAs(vault, owner, session, { ontology: "note" })).code, "DOMAIN_NOT_CERTIFIED");
  const toLedger = { id, input: { ontology: Ledger, payload: {} } };
  assert.equal(refusalOf(await at(DOCUMENTS.update, toLedger)).code, "DOMAIN_NOT_CERTIFIED");
  assert.equal(refusalOf(await at(DOCUMENTS.update, { ...toLedger, id: ledger })).code, "NOT_FOUND");
  assert.equal(refusalOf(await at(DOCUMENTS.remove, { id: ledger })).code, "NOT_FOUND");
  assert.equal(refusalOf(await at(ROLLBACK, { id: ledger, version: 1 })).code, "NOT_FOUND");
  const bulk = await at(BULK, { inputs: [POST, Ledger].map((ontology) => ({ ontology, payload: {} })) });
  const { results } = bulk.body.data.bulkCreateMetaEnvelopes;
  assert.equal(results[0].success, true);
  assert.match(results[1].error, /^DOMAIN_NOT_CERTIFIED: /);
  const updated = await at(DOCUMENTS.update, { id, input: { ontology: POST, payload: { more: 1 } } });
  assert.deepEqual(updated.body.data.updateMetaEnvelope.errors, []);
  assert.equal((await at(DOCUMENTS.remove, { id })).body.data.removeMetaEnvelope.success, true);
  const versions = (await askGraphQL(vault, owner.ename, DOCUMENTS.history, { id }, await owner.at(owner.ename))).body
    .data.metaEnvelopeHistory.edges;
  const claim = [...vault.sessions.values()][0];
  assert.deepEqual(new Set(versions.map(({ node }: never) => node["requestingPlatform"])), new Set([claim?.platform]));
});

test("a version that had another ontology stays hidden from a session that may not reach that one [decision V4] [P-DEC-043]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename);
  const id = await createdBy(vault, owner, { ontology: Ledger, payload: { balance: 5 } });
  const input = { ontology: POST, payload: { text: "hello" } };
  await askGraphQL(vault, owner.ename, DOCUMENTS.update, { id, input }, await owner.at(owner.ename));
  const { edges, totalCount } = (await askGraphQL(vault, owner.ename, DOCUMENTS.history, { id }, session)).body.data
    .metaEnvelopeHistory;
  assert.deepEqual(
    edges.map(({ node }: { node: { version: number } }) => node.version),
    [2],
  );
  assert.equal(totalCount, 1);
  const logs = await ask(vault, "/logs", { headers: { "x-ename": owner.ename, ...session } });
  assert.deepEqual(
    logs.body.logs.map(({ ontology }: { ontology: string }) => ontology),
    [POST],
  );
  const rolledBack = await askGraphQL(vault, owner.ename, ROLLBACK, { id, version: 1 }, session);
  assert.equal(refusalOf(rolledBack).code, "DOMAIN_NOT_CERTIFIED");
});

test("a stricter policy of the owner applies to a session that is open, and a laxer one restores it [P-OAP-010] [P-OAP-012] [P-OAP-013] [P-OAP-014]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename, { domains: ["social", "finance"] });
  const post = await createdBy(vault, owner, { ontology: POST });
  const ledger = await createdBy(vault, owner, { ontology: Ledger });
  const steps: readonly (readonly [object, readonly string[], string | undefined])[] = [
    [{ deniedDomains: ["finance"] }, [post], undefined],
    [{ deniedDomains: ["social"] }, [ledger], "DOMAIN_REFUSED_BY_OWNER"],
    [{ allowedDomains: ["finance", "work"] }, [ledger], "DOMAIN_OUTSIDE_ALLOWLIST"],
    [{ allowedDomains: [] }, [], "DOMAIN_OUTSIDE_ALLOWLIST"],
    [{ minimumLevel: "L4" }, [], "LEVEL_BELOW_POLICY"],
    [{ minimumLevel: "L3" }, [post, ledger], undefined],
  ];
  for (const [terms, expected, code] of steps) {
    await setPolicy(vault, owner, terms);
    const { all } = await shownTo(vault, owner, session);
    assert.deepEqual(
      all.filter((id) => [post, ledger].includes(id)),
      expected,
      JSON.stringify(terms),
    );
    const { errors } = (await createAs(vault, owner, session, { ontology: POST })).body.data.createMetaEnvelope;
    assert.equal(errors[0]?.code, code, JSON.stringify(terms));
  }
});

test("the minimum level is L2 where the owner has signed no policy [P-DEC-041] [P-DEC-042]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const post = await createdBy(vault, owner, { ontology: POST });
  for (const [level, expected] of [["L1", []] as const, ["L2", [post]] as const]) {
    assert.deepEqual((await shownTo(vault, owner, platformSession(vault, owner.ename, { level }))).all, expected);
  }
});

test("no session reaches binding documents or access policies, whatever its certificate names [decision A5]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  await setPolicy(vault, owner, {});
  const domains = ["unclassified", "identity", "social"];
  const session = platformSession(vault, owner.ename, { level: "L5", domains });
  assert.deepEqual((await shownTo(vault, owner, session)).all, []);
  const documents = "{ bindingDocuments { totalCount edges { node { id } } } }";
  const { bindingDocuments } = (await askGraphQL(vault, owner.ename, documents, {}, session)).body.data;
  assert.deepEqual(bindingDocuments, { totalCount: 0, edges: [] });
  const refused = await createAs(vault, owner, session, { ontology: BINDING_DOCUMENT_ONTOLOGY });
  assert.notDeepEqual(refused.body.data.createMetaEnvelope.errors, []);
});

test("a platform sets a policy at creation only where it gives the owner everything [decision V22]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename);
  const all = { ename: owner.ename, perms: 15 };
  const refused: readonly object[] = [
    { grants: [{ ...all, perms: 7 }] },
    { grants: [all], denials: { enames: [owner.ename] } },
    { grants: [all], denials: { conditions: [{ ontology: owner.ename, path: "$.n", op: ">", value: 0 }] } },
    { default_perms: 1, require: [[]] },
  ];
  for (const _acl of refused) {
    const { code, field } = refusalOf(await createAs(vault, owner, session, { ontology: POST, _acl }));
    assert.deepEqual({ code, field }, { code: "FORBIDDEN", field: "_acl" });
  }
  const stranger = parseEName("5c0e1b52-6b0a-4d0f-9d8e-2f5b7a1c9e02");
  vault.registry.addresses.delete(stranger);
  const _acl = { grants: [all], denials: { enames: [stranger] } };
  const created = await createAs(vault, owner, session, { ontology: POST, _acl });
  assert.deepEqual(created.body.data.createMetaEnvelope.errors, []);
});

test("an address of a file that a session was given stops working with the policy that gave it [P-OAP-010] [decision V15]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const session = platformSession(vault, owner.ename, { domains: ["files"] });
  const upload = `mutation ($input: UploadFileInput!) { uploadFile(input: $input) { metaEnvelopeId errors { code } } }`;
  const content = Buffer.from("bytes").toString("base64");
  const input = { filename: "a.txt", contentType: "text/plain", content };
  const uploaded = (await askGraphQL(vault, owner.ename, upload, { input }, session)).body.data.uploadFile;
  assert.deepEqual(uploaded.errors, []);
  const locate = (headers: Headers) =>
    fetch(`${vault.url}/files/${uploaded.metaEnvelopeId}`, {
      headers: { "x-ename": owner.ename, ...headers },
      redirect: "manual",
    });
  const given = (await locate(session)).headers.get("location") ?? "";
  const owners = (await locate(await owner.at(owner.ename))).headers.get("location") ?? "";
  assert.equal((await fetch(given)).status, 200);
  await setPolicy(vault, owner, { deniedDomains: ["files"] });
  assert.equal((await locate(session)).status, 404);
  assert.equal((await fetch(given)).status, 404);
  assert.equal((await fetch(owners)).status, 200);
  assert.equal(FILE_ONTOLOGY, "ds-file-v1");
});
