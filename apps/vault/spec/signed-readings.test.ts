import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { type SignedReadingStatement, signedReadingText } from "@dataspace/protocol/signed-reading";
import { signText } from "@dataspace/wallet/sign-text";
import { askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const HOUR_MS = 3_600_000;
let vault: TestVault;
let owner: Person;
let issuer: Person;
let other: Person;

before(async () => {
  vault = await startVault({ auth: "enforced" });
  [owner, issuer, other] = await Promise.all([createPerson(vault), createPerson(vault), createPerson(vault)]);
});
after(() => vault[Symbol.asyncDispose]());

interface ReadingChanges {
  readonly statement?: Readonly<Record<string, unknown>>;
  readonly signedBy?: Person;
  readonly signer?: string;
  readonly signature?: string;
  readonly more?: object;
}

async function write(person: Person, input: { ontology: string; payload: object }): Promise<string> {
  const { body } = await askGraphQL(vault, person.ename, DOCUMENTS.create, { input }, await person.at(person.ename));
  assert.deepEqual(body.data?.createMetaEnvelope.errors, [], JSON.stringify(body));
  return body.data.createMetaEnvelope.metaEnvelope.id;
}

/** Puts a reading of 72 about a subject, by the issuer, into the subject's vault. */
async function writeReading(subject: Person, ontology: string, changes: ReadingChanges = {}): Promise<string> {
  const statement = {
    type: "ds.signed-reading",
    schemaVersion: 1,
    subject: subject.ename,
    ontology,
    data: { scores: [{ value: 72 }], word: "many" },
    issuedAt: new Date(Date.now() - HOUR_MS).toISOString(),
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    ...changes.statement,
  };
  const { signedBy = issuer, signer = signedBy.ename } = changes;
  const text = await signedReadingText(statement as SignedReadingStatement);
  const signature = changes.signature ?? (await signText(signedBy.key, text));
  return write(subject, { ontology, payload: { statement, signature, signer, ...changes.more } });
}

/** A record of the owner's that asks for 60 or more under an ontology of its own, and who may read it. */
async function conditional(condition: object = {}) {
  const ontology = `@${randomUUID()}`;
  const asked = { ontology, path: "$.scores[0].value", op: ">=", value: 60, issuer: issuer.ename, ...condition };
  const _acl = { default_perms: 1, require: [[asked]] };
  const input = { ontology: "note", payload: {}, _acl };
  const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await owner.at(owner.ename));
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const admits = async (person: Person): Promise<boolean> => {
    const headers = await person.at(owner.ename);
    const one = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, headers);
    const all = await askGraphQL(vault, owner.ename, DOCUMENTS.list, { last: 100 }, headers);
    const ids = all.body.data.metaEnvelopes.edges.map(({ node }: { node: { id: string } }) => node.id);
    assert.equal(ids.includes(id), one.body.data.metaEnvelope !== null, "a list shows what a single read shows");
    return ids.includes(id);
  };
  return { id, ontology, admits };
}

test("a condition is met by the newest reading in the caller's own vault that the issuer signed [V-DEC-800] [V-DEC-801] [V-DEC-802] [V-ACL-016]", async () => {
  const [person, { ontology, admits }] = await Promise.all([createPerson(vault), conditional()]);
  assert.equal(await admits(person), false, "no reading");
  await writeReading(person, ontology);
  assert.equal(await admits(person), true);
  assert.equal(await admits(other), false, "another's reading");
  await writeReading(person, ontology, { statement: { data: { scores: [{ value: 59 }] } } });
  assert.equal(await admits(person), false, "the newest counts");
  await write(person, { ontology, payload: { statement: "no reading at all" } });
  const newest = await writeReading(person, ontology.slice(1), { statement: { ontology: ontology.slice(1) } });
  assert.equal(await admits(person), true, "an ontology is the same with and without its @");
  await askGraphQL(vault, person.ename, DOCUMENTS.remove, { id: newest }, await person.at(person.ename));
  assert.equal(await admits(person), false, "a removed reading counts no more");
});

for (const [what, changes] of [
  ["signed by somebody else in the issuer's name", { signature: "by other" }],
  ["signed and said to be by somebody else", { signedBy: "other" }],
  ["about somebody else", { statement: { subject: `@${randomUUID()}` } }],
  ["of another ontology", { statement: { ontology: `@${randomUUID()}` } }],
  ["of another type", { statement: { type: "ds.reading" } }],
  ["of another schema version", { statement: { schemaVersion: 2 } }],
  ["with a member more in its statement", { statement: { scope: "all" } }],
  ["with a member more beside it", { more: { note: "1" } }],
  ["issued in the future", { statement: { issuedAt: new Date(Date.now() + HOUR_MS / 2).toISOString() } }],
  ["expired", { statement: { expiresAt: new Date(Date.now() - 1000).toISOString() } }],
  ["without a time that can be read", { statement: { issuedAt: "yesterday" } }],
  ["whose value is text", { statement: { data: { scores: [{ value: "72" }] } } }],
  ["whose value is missing", { statement: { data: { scores: [] } } }],
  ["whose value is a list", { statement: { data: { scores: [{ value: [72] }] } } }],
  ["changed after it was signed", { more: "tamper" }],
] as const) {
  test(`a reading ${what} meets no condition [V-DEC-804] [V-ACL-052]`, async () => {
    const [person, { ontology, admits }] = await Promise.all([createPerson(vault), conditional()]);
    const given = changes as Readonly<Record<string, unknown>>;
    const byOther = async () => signText(other.key, "something else");
    const more =
      given["more"] === "tamper" ? { statement: await tampered(person, ontology) } : (given["more"] as object);
    await writeReading(person, ontology, {
      ...(given["statement"] === undefined ? {} : { statement: given["statement"] as Record<string, unknown> }),
      ...(given["signedBy"] === undefined ? {} : { signedBy: other }),
      ...(given["signature"] === undefined ? {} : { signature: await byOther() }),
      ...(more === undefined ? {} : { more }),
    });
    assert.equal(await admits(person), false);
    await writeReading(person, ontology);
    assert.equal(await admits(person), true, "a good one is then admitted, so the bad one was what failed");
  });
}

async function tampered(person: Person, ontology: string): Promise<object> {
  const times = {
    issuedAt: new Date(Date.now() - HOUR_MS).toISOString(),
    expiresAt: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
  };
  const data = { scores: [{ value: 99 }] };
  return { type: "ds.signed-reading", schemaVersion: 1, subject: person.ename, ontology, data, ...times };
}

test("a condition without an issuer is met by nobody, and one with a maximum age by no older reading [V-DEC-803] [V-DEC-804]", async () => {
  const person = await createPerson(vault);
  const unsigned = await conditional({ issuer: null });
  await writeReading(person, unsigned.ontology);
  assert.equal(await unsigned.admits(person), false);
  const fresh = await conditional({ maxAgeSeconds: 1800 });
  await writeReading(person, fresh.ontology);
  assert.equal(await fresh.admits(person), false, "issued an hour ago");
  await writeReading(person, fresh.ontology, { statement: { issuedAt: new Date(Date.now() - 60_000).toISOString() } });
  assert.equal(await fresh.admits(person), true);
});

test("each operator compares as it says [V-ACL-017]", async () => {
  const person = await createPerson(vault);
  const met: string[] = [];
  for (const op of [">=", ">", "<=", "<", "=="]) {
    for (const value of [71, 72, 73]) {
      const { ontology, admits } = await conditional({ op, value });
      await writeReading(person, ontology);
      if (await admits(person)) met.push(`72 ${op} ${value}`);
    }
  }
  assert.deepEqual(met, ["72 >= 71", "72 >= 72", "72 > 71", "72 <= 72", "72 <= 73", "72 < 73", "72 == 72"]);
});

test("a deny condition that is not met denies, and one that cannot be checked counts as not met [V-ACL-042] [V-CASE-026] [V-DEC-806]", async () => {
  const person = await createPerson(vault);
  const ontology = `@${randomUUID()}`;
  const condition = { ontology, path: "$.scores[0].value", op: ">=", value: 60, issuer: issuer.ename };
  const _acl = { grants: [{ ename: person.ename, perms: 15 }], denials: { conditions: [condition] } };
  const input = { ontology: "note", payload: {}, _acl };
  const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await owner.at(owner.ename));
  const { id } = body.data.createMetaEnvelope.metaEnvelope;
  const admits = async () =>
    (await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, await person.at(owner.ename))).body.data
      .metaEnvelope !== null;
  assert.equal(await admits(), false);
  const unreachable = { ...condition, issuer: `@${randomUUID()}` };
  await writeReading(person, ontology, { signer: unreachable.issuer });
  assert.equal(await admits(), false);
  await writeReading(person, ontology);
  assert.equal(await admits(), true);
  const asPlatform = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, platformHeaders(vault));
  assert.equal(
    asPlatform.body.data.metaEnvelope,
    null,
    "a platform token proves nobody of whom there could be a reading",
  );
});

test("a list asks at most 64 conditions; what it does not ask shows nothing there, and is still had one by one [V-DEC-805] [V-DEC-806]", async () => {
  const [crowded, person] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const ontology = `@${randomUUID()}`;
  await writeReading(person, ontology);
  const condition = { ontology, path: "$.scores[0].value", op: ">", issuer: issuer.ename };
  const bulk = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { results { id } } }`;
  const inputs = Array.from({ length: 70 }, (_, value) => ({
    ontology: "note",
    payload: {},
    _acl: { default_perms: 1, require: [[{ ...condition, value }]] },
  }));
  const made = await askGraphQL(vault, crowded.ename, bulk, { inputs }, await crowded.at(crowded.ename));
  const { results } = made.body.data.bulkCreateMetaEnvelopes;
  const list = await askGraphQL(vault, crowded.ename, DOCUMENTS.list, { first: 100 }, await person.at(crowded.ename));
  assert.equal(list.body.data.metaEnvelopes.totalCount, 64);
  for (const { id } of [results[0], results[69]]) {
    const one = await askGraphQL(vault, crowded.ename, DOCUMENTS.read, { id }, await person.at(crowded.ename));
    assert.notEqual(one.body.data.metaEnvelope, null);
  }
});
