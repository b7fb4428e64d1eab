import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { assertReadable } from "../src/assert-readable.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const GROUP_ONTOLOGY = "550e8400-e29b-41d4-a716-446655440003";
const MANIFEST_ONTOLOGY = "a8bfb7cf-3200-4b25-9ea9-ee41100f212e";
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } errors { code } } }`;

type Input = {
  readonly ontology?: string;
  readonly payload?: object;
  readonly acl?: readonly string[];
  readonly _acl?: unknown;
};
const toInput = (input: Input) => ({ ontology: "note", payload: { word: "pear" }, ...input });

async function bulk(vault: TestVault, owner: Person, inputs: readonly Input[]): Promise<readonly string[]> {
  const { body } = await askGraphQL(
    vault,
    owner.ename,
    BULK,
    { inputs: inputs.map(toInput) },
    await owner.at(owner.ename),
  );
  const { results } = body.data.bulkCreateMetaEnvelopes;
  assert.ok(
    results.every(({ success }: { success: boolean }) => success),
    JSON.stringify(results),
  );
  return results.map(({ id }: { id: string }) => id);
}

/** Everything a caller can learn from lists, as ids in order, and the counts beside them. */
async function lists(vault: TestVault, owner: Person, headers: Readonly<Record<string, string>>) {
  const list = async (variables: object) => {
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.list, variables, headers);
    const { edges, totalCount } = body.data.metaEnvelopes;
    return { ids: edges.map(({ node }: { node: { id: string } }) => node.id), totalCount };
  };
  const all = await list({ first: 100 });
  const backward = await list({ last: 100 });
  const found = await list({ first: 100, filter: { search: { term: "pear" } } });
  const named = await list({ first: 100, filter: { search: { term: "pear", fields: ["word"], mode: "EXACT" } } });
  const typed = await list({ first: 100, filter: { ontologyId: "note" } });
  for (const other of [backward, found, named, typed]) assert.deepEqual(other, all);
  const old = `{ findMetaEnvelopesByOntology(ontology: "note") { id } searchMetaEnvelopes(ontology: "note", term: "pear") { id }
    getAllEnvelopes { id } }`;
  const { body } = await askGraphQL(vault, owner.ename, old, {}, headers);
  const idOf = ({ id }: { id: string }) => id;
  assert.deepEqual(body.data.findMetaEnvelopesByOntology.map(idOf), all.ids);
  assert.deepEqual(body.data.searchMetaEnvelopes.map(idOf), all.ids);
  assert.deepEqual(
    body.data.getAllEnvelopes.map((envelope: { id: string }) => envelope.id.slice(0, envelope.id.lastIndexOf("."))),
    all.ids,
  );
  assert.equal(all.totalCount, all.ids.length);
  const logs = await ask(vault, "/logs?limit=100", { headers: { "x-ename": owner.ename, ...headers } });
  const logged = logs.body.logs.map(({ metaEnvelopeId }: { metaEnvelopeId: string }) => metaEnvelopeId);
  return { ids: all.ids, logged: new Set(logged) };
}

async function readOneByOne(
  vault: TestVault,
  owner: Person,
  { ids, headers }: { ids: readonly string[]; headers: object },
) {
  const readable: string[] = [];
  for (const id of ids) {
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, headers as Record<string, string>);
    if (body.data.metaEnvelope !== null) readable.push(id);
  }
  return readable;
}

test("lists, searches, counts, the old lists and the log show exactly what single reads show, to every caller [V-DEC-583] [V-DEC-584] [V-DEC-585] [V-PAGE-018] [V-PAGE-019] [V-GUARD-001] [V-GUARD-002] [V-GUARD-008] [V-GUARD-013] [V-GUARD-014]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, a, b, group] = await Promise.all([1, 2, 3, 4].map(() => createPerson(vault)));
  assert.ok(owner && a && b && group);
  await bulk(vault, group, [
    { ontology: GROUP_ONTOLOGY, payload: { eName: group.ename, participants: [a.ename, b.ename] } },
  ]);
  const grants = (...of: readonly (readonly [Person, number])[]) => of.map(([{ ename }, perms]) => ({ ename, perms }));
  const denies = (...of: readonly Person[]) => ({ enames: of.map(({ ename }) => ename) });
  const ids = await bulk(vault, owner, [
    {},
    { acl: ["*"] },
    { acl: [a.ename] },
    { acl: [] },
    { _acl: {} },
    { _acl: { grants: grants([owner, 15]) } },
    { _acl: { grants: grants([a, 1]) }, acl: ["*"] },
    { _acl: { grants: grants([a, 6], [group, 1]) } },
    { _acl: { grants: grants([group, 1]) } },
    { _acl: { grants: grants([owner, 1], [a, 1], [b, 1]), denials: denies(group) } },
    { _acl: { default_perms: 1, require: [[]] } },
    { _acl: { default_perms: 1, require: [[]], denials: denies(b) } },
    { _acl: { default_perms: 1, require: [[{ ontology: owner.ename, path: "$.n", op: ">", value: 0 }]] } },
    { _acl: { grants: grants([a, 1]) } },
  ]);
  const removed = ids.at(-1);
  await askGraphQL(vault, owner.ename, DOCUMENTS.remove, { id: removed }, platformHeaders(vault));
  const callers: readonly (readonly [string, () => Promise<Readonly<Record<string, string>>>, readonly number[]])[] = [
    ["owner", () => owner.at(owner.ename), [0, 1, 2, 3, 5, 9, 10, 11]],
    ["a", () => a.at(owner.ename), [1, 2, 6, 8, 10, 11, 13]],
    ["b", () => b.at(owner.ename), [1, 7, 8, 10]],
    ["group itself", () => group.at(owner.ename), [1, 7, 8, 10, 11]],
    ["a on behalf of b", () => a.at(owner.ename, { "x-on-behalf-of": b.ename }), [1, 2, 6, 8, 10, 13]],
    ["platform token", async () => platformHeaders(vault), [0, 1, 2, 3, 10, 11]],
    ["platform for b", async () => ({ ...platformHeaders(vault), "x-on-behalf-of": b.ename }), [0, 1, 2, 3, 10]],
  ];
  for (const [name, headers, expected] of callers) {
    const shown = await lists(vault, owner, await headers());
    const expectedIds = expected.map((index) => ids[index]);
    assert.deepEqual(shown.ids, expectedIds, name);
    assert.deepEqual(await readOneByOne(vault, owner, { ids, headers: await headers() }), expectedIds, name);
    if (name === "owner") assert.equal(shown.logged.size, ids.length, "the owner's log is whole");
    else assert.deepEqual([...shown.logged].sort(), [...expectedIds].sort(), name);
  }
});

test("a record of a group makes its members of all the fields it names them in, and the newest that is its own counts [V-DEC-780] [V-DEC-781] [V-DEC-782] [V-ACL-041] [V-ACL-045]", async () => {
  await using vault = await startVault({ auth: "enforced", anonymousStore: "quarantine" });
  const [owner, group] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const fields = ["members", "memberIds", "participants", "participantIds", "admins", "owner"];
  const people = await Promise.all(fields.map(() => createPerson(vault)));
  const outsider = await createPerson(vault);
  const [granted, denied] = await bulk(vault, owner, [
    { _acl: { grants: [{ ename: group.ename, perms: 1 }] } },
    { _acl: { default_perms: 1, require: [[]], denials: { enames: [group.ename] } } },
  ]);
  const sees = async (person: Person) =>
    readOneByOne(vault, owner, { ids: [granted!, denied!], headers: await person.at(owner.ename) });
  assert.deepEqual(await sees(outsider), [denied], "a vault without a statement of members is not a group");

  const own = (more: object) => ({
    ontology: MANIFEST_ONTOLOGY,
    payload: { eName: group.ename.toUpperCase(), ...more },
  });
  const named = Object.fromEntries(
    fields.map((field, index) => [
      field,
      field === "owner" ? people[index]!.ename : [people[index]!.ename, 7, "nobody"],
    ]),
  );
  const [manifest] = await bulk(vault, group, [own(named)]);
  for (const person of people) assert.deepEqual(await sees(person), [granted]);
  assert.deepEqual(await sees(outsider), [denied]);

  await bulk(vault, group, [
    { ontology: MANIFEST_ONTOLOGY, payload: { eName: owner.ename, members: [outsider.ename] } },
  ]);
  const stranger = { ontology: GROUP_ONTOLOGY, payload: { ename: group.ename, members: [outsider.ename] } };
  const store = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  assert.equal((await askGraphQL(vault, group.ename, store, { input: stranger })).status, 200);
  assert.deepEqual(await sees(outsider), [denied], "neither another's name nor a quarantined record makes members");

  const update = { id: manifest, input: own({ members: [outsider.ename] }) };
  await askGraphQL(vault, group.ename, DOCUMENTS.update, update, platformHeaders(vault));
  assert.deepEqual(await sees(outsider), [denied], "a legacy token writes no manifest of a vault that has a key");
  await askGraphQL(vault, group.ename, DOCUMENTS.update, update, await group.at(group.ename));
  assert.deepEqual(await sees(outsider), [granted]);
  await askGraphQL(vault, group.ename, DOCUMENTS.remove, { id: manifest }, await group.at(group.ename));
  assert.deepEqual(await sees(outsider), [denied], "a removed record makes no members");
});

test("a group that the registry does not know has no members; one elsewhere or out of reach withholds its grant and holds its denial [V-DEC-783] [V-DEC-784] [V-DEC-785] [V-DEC-806] [V-CASE-017] [V-CASE-018]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, a] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const [nobody, elsewhere] = [`@${randomUUID()}`, `@${randomUUID()}`];
  vault.registry.addresses.set(elsewhere, "https://vault.example");
  const grant = { ename: a.ename, perms: 15 };
  const ids = await bulk(vault, owner, [
    { _acl: { grants: [{ ename: nobody, perms: 15 }] } },
    { _acl: { grants: [{ ename: elsewhere, perms: 15 }] } },
    { _acl: { grants: [grant], denials: { enames: [nobody] } } },
    { _acl: { grants: [grant], denials: { enames: [elsewhere] } } },
  ]);
  const sees = async () => readOneByOne(vault, owner, { ids, headers: await a.at(owner.ename) });
  assert.deepEqual(await sees(), [ids[2]]);
  assert.deepEqual((await lists(vault, owner, await a.at(owner.ename))).ids, [ids[2]]);
  vault.registry.down = true;
  const denials = { enames: [`@${randomUUID()}`] };
  const [unasked] = await bulk(vault, owner, [{ _acl: { grants: [grant], denials } }]);
  const asked = { ids: [...ids, unasked!], headers: await a.at(owner.ename) };
  assert.deepEqual(await readOneByOne(vault, owner, asked), [ids[2]], "an answer of a minute ago still holds");
  assert.deepEqual((await lists(vault, owner, await a.at(owner.ename))).ids, [ids[2]]);
  vault.registry.down = false;
  assert.deepEqual(await readOneByOne(vault, owner, asked), [ids[2], unasked]);
});

test("a change of policy shows at once in lists, counts and the log, for the same caller", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, a] = await Promise.all([createPerson(vault), createPerson(vault)]);
  const [id] = await bulk(vault, owner, [{ _acl: { grants: [{ ename: owner.ename, perms: 15 }] } }]);
  const setPolicy = async (_acl: unknown, more: object = {}) =>
    askGraphQL(
      vault,
      owner.ename,
      DOCUMENTS.update,
      { id, input: { ontology: "note", payload: {}, _acl, ...more } },
      await owner.at(owner.ename),
    );
  const shown = async (person: Person) => (await lists(vault, owner, await person.at(owner.ename))).ids;
  assert.deepEqual([await shown(owner), await shown(a)], [[id], []]);
  await setPolicy({ grants: [{ ename: a.ename, perms: 1 }] });
  assert.deepEqual([await shown(owner), await shown(a)], [[], [id]]);
  await setPolicy(null, { acl: [] });
  assert.deepEqual([await shown(owner), await shown(a)], [[id], []]);
});

test("the first policy leaves a mark at which a build that knows less refuses to start [V-ACL-031] [V-VRS-003]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const marks = () => vault.database.query({ text: "select min_reader from reader_level", values: [] });
  await bulk(vault, owner, [{}]);
  assert.deepEqual((await marks()).rows, []);
  await bulk(vault, owner, [{ _acl: {} }, { _acl: {} }]);
  assert.deepEqual((await marks()).rows, [{ min_reader: 2 }]);
  await assertReadable(vault.database);
  await vault.database.query({ text: "update reader_level set min_reader = 3", values: [] });
  await assert.rejects(assertReadable(vault.database), (error) => {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /reader level 3; this one has 2/);
    return true;
  });
});

test("a stranger's store with a policy is UNAUTHENTICATED and never stored without it [V-DEC-161]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await createPerson(vault);
  const document = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
  const input = toInput({ _acl: { default_perms: 1, require: [[]] } });
  const { body } = await askGraphQL(vault, owner.ename, document, { input });
  assert.equal(body.errors[0].extensions.code, "UNAUTHENTICATED");
  const stored = await vault.database.query({ text: "select 1 from meta_envelope", values: [] });
  assert.equal(stored.rowCount, 0);
});

test("pages for somebody who sees a part of a vault, through several policies and arrays, follow each other in creation order, forward and backward [V-PAGE-001] [V-PAGE-002] [V-PAGE-018]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, a, b] = await Promise.all([createPerson(vault), createPerson(vault), createPerson(vault)]);
  const reading = (...people: readonly Person[]) => ({ grants: people.map(({ ename }) => ({ ename, perms: 1 })) });
  const kinds: readonly Input[] = [
    { _acl: reading(a) },
    { acl: [a.ename] },
    {},
    { _acl: reading(b) },
    { _acl: reading(a, b), ontology: "other" },
    { acl: ["*"], ontology: "other" },
    { acl: [b.ename] },
  ];
  const ids = await bulk(
    vault,
    owner,
    Array.from({ length: 42 }, (_, number) => kinds[(number * 5) % 7] as Input),
  );
  const expected = (filter: object) =>
    ids.filter((_, number) => {
      const kind = (number * 5) % 7;
      return [0, 1, 4, 5].includes(kind) && (!("ontologyId" in filter) || kinds[kind]?.ontology === undefined);
    });
  for (const filter of [{}, { ontologyId: "note" }]) {
    for (const [size, after, way] of [
      ["first", "after", "endCursor"],
      ["last", "before", "startCursor"],
    ] as const) {
      const seen: string[][] = [];
      for (let cursor: string | null = null; ; ) {
        const variables = { filter, [size]: 5, [after]: cursor };
        const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.list, variables, await a.at(owner.ename));
        const { edges, pageInfo, totalCount } = body.data.metaEnvelopes;
        assert.equal(totalCount, expected(filter).length);
        seen.push(edges.map(({ node }: { node: { id: string } }) => node.id));
        cursor = pageInfo[way];
        if (!(size === "first" ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) break;
      }
      assert.deepEqual((size === "first" ? seen : seen.toReversed()).flat(), expected(filter));
    }
  }
});
