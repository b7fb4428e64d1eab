import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import { type Answer, ask, askGraphQL } from "./support/ask.ts";
import { DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

type Headers = Readonly<Record<string, string>>;
const MANIFESTS = ["550e8400-e29b-41d4-a716-446655440003", "a8bfb7cf-3200-4b25-9ea9-ee41100f212e"] as const;
const [GROUP, MANIFEST] = MANIFESTS;
const STORE = "mutation ($input: MetaEnvelopeInput!) { storeMetaEnvelope(input: $input) { metaEnvelope { id } } }";
const UPDATE_BY_ID = `mutation ($id: String!, $input: MetaEnvelopeInput!) {
  updateMetaEnvelopeById(id: $id, input: $input) { metaEnvelope { id } } }`;
const DELETE = "mutation ($id: String!) { deleteMetaEnvelope(id: $id) }";
const UPDATE_VALUE = `mutation ($envelopeId: String!, $newValue: JSON!) {
  updateEnvelopeValue(envelopeId: $envelopeId, newValue: $newValue) }`;
const ROLLBACK = `mutation ($id: ID!, $version: Int!) {
  rollbackMetaEnvelope(id: $id, version: $version) { version errors { code field message } } }`;
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { id success error } errors { code } } }`;

/** A group, somebody whose records name it in a grant and in a denial, and what a person sees of the two. */
interface Space extends AsyncDisposable {
  readonly vault: TestVault;
  readonly group: EName;
  readonly owner: Person;
  readonly a: Person;
  readonly b: Person;
  readonly platform: Headers;
  /** A fresh wallet token of the group, once it has a key. */
  readonly byGroup: () => Promise<Headers>;
  /** Gives the group its first key, as its provisioner does. */
  readonly giveKey: () => Promise<void>;
  readonly as: (headers: Headers, document: string, variables: object) => Promise<Answer>;
  /** Of the record with a grant and the record with a denial, those that a person reads. */
  readonly sees: (person: Person) => Promise<readonly ("granted" | "not denied")[]>;
}

async function start(anonymousStore: "quarantine" | "allow" = "quarantine"): Promise<Space> {
  const vault = await startVault({ auth: "enforced", anonymousStore });
  const [owner, a, b] = await Promise.all([createPerson(vault), createPerson(vault), createPerson(vault)]);
  const group = await vault.createOwner();
  const key = await createWalletKey();
  const create = async (_acl: object) => {
    const input = { ontology: "note", payload: {}, _acl };
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.create, { input }, await owner.at(owner.ename));
    return body.data.createMetaEnvelope.metaEnvelope.id;
  };
  const granted = await create({ grants: [{ ename: group, perms: 1 }] });
  const denied = await create({ default_perms: 1, require: [[]], denials: { enames: [group] } });
  const reads = async (person: Person, id: string) => {
    const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.read, { id }, await person.at(owner.ename));
    return body.data.metaEnvelope !== null;
  };
  return {
    vault,
    group,
    owner,
    a,
    b,
    platform: platformHeaders(vault),
    byGroup: async () => {
      const token = await issueWalletToken({ key, clock: systemClock }, { ename: group, audience: group });
      return { authorization: `Bearer ${token}` };
    },
    giveKey: async () => {
      const service = {
        authorization: "Bearer service-token-of-this-test-0123456789",
        "content-type": "application/json",
      };
      const body = JSON.stringify({ publicKey: key.publicKey });
      const { status } = await ask(vault, "/public-key", {
        method: "PATCH",
        headers: { ...service, "x-ename": group },
        body,
      });
      assert.equal(status, 200);
    },
    as: (headers, document, variables) => askGraphQL(vault, group, document, variables, headers),
    sees: async (person) => [
      ...((await reads(person, granted)) ? (["granted"] as const) : []),
      ...((await reads(person, denied)) ? (["not denied"] as const) : []),
    ],
    [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose](),
  };
}

const manifest = ({ group }: Space, members: readonly Person[], more: object = {}) => ({
  ontology: GROUP,
  payload: { eName: group, members: members.map(({ ename }) => ename), ...more },
});

async function created(space: Space, headers: Headers, input: object): Promise<string> {
  const { body } = await space.as(headers, DOCUMENTS.create, { input });
  assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  return body.data.createMetaEnvelope.metaEnvelope.id;
}

async function updated(space: Space, headers: Headers, id: string, input: object): Promise<void> {
  const { body } = await space.as(headers, DOCUMENTS.update, { id, input });
  assert.deepEqual(body.data.updateMetaEnvelope.errors, []);
}

const codeOf = (answer: Answer): string | undefined =>
  errorCodeOf(answer) ?? (Object.values(answer.body.data)[0] as { errors?: { code: string }[] }).errors?.[0]?.code;

const MEMBER = ["granted"] as const;
const OUTSIDER = ["not denied"] as const;
const DENIED_ONLY = [] as const;

test("in a vault with a key only the owner makes, changes or removes the record that says who its members are: FORBIDDEN for anybody else, by every path, whatever its acl says [decision V23]", async () => {
  await using space = await start("allow");
  await space.giveKey();
  const { as, platform, a, b, group } = space;
  const own = { ...manifest(space, [a]), acl: ["*", b.ename] };
  const id = await created(space, await space.byGroup(), own);
  await updated(space, await space.byGroup(), id, { ...own, payload: { name: "n" } });
  const note = await created(space, await space.byGroup(), {
    ontology: "note",
    payload: { members: [b.ename] },
    acl: [b.ename],
  });
  const nearly = await created(space, await space.byGroup(), {
    ontology: MANIFEST,
    payload: { eName: b.ename },
    acl: [b.ename],
  });
  const theirs = { ontology: GROUP, payload: { ename: group.toUpperCase().slice(1), members: [b.ename] } };
  const patch = (payload: object, ontology: string = GROUP) => ({ ontology, payload });
  const field = (recordId: string, name: string) => `${recordId}.${Buffer.from(name).toString("base64url")}`;
  const attempts: readonly (readonly [string, string, object])[] = [
    ["create", DOCUMENTS.create, { input: theirs }],
    ["create of the other ontology", DOCUMENTS.create, { input: { ...theirs, ontology: MANIFEST } }],
    ["store", STORE, { input: theirs }],
    ["update", DOCUMENTS.update, { id, input: patch({ members: [b.ename] }) }],
    ["update of another field", DOCUMENTS.update, { id, input: patch({ name: "x" }) }],
    ["empty update", DOCUMENTS.update, { id, input: patch({}) }],
    ["update by id", UPDATE_BY_ID, { id, input: patch({ members: [b.ename] }) }],
    ["update out of it by the name", DOCUMENTS.update, { id, input: patch({ eName: b.ename }) }],
    ["update out of it by the ontology", DOCUMENTS.update, { id, input: patch({}, "note") }],
    ["update into one by the ontology and name", DOCUMENTS.update, { id: note, input: patch({ eName: group }) }],
    ["update into one by the name", DOCUMENTS.update, { id: nearly, input: patch({ ename: group }, MANIFEST) }],
    ["value", UPDATE_VALUE, { envelopeId: field(id, "members"), newValue: [b.ename] }],
    ["value out of it", UPDATE_VALUE, { envelopeId: field(id, "eName"), newValue: b.ename }],
    ["value into one", UPDATE_VALUE, { envelopeId: field(nearly, "eName"), newValue: group }],
    ["rollback", ROLLBACK, { id, version: 1 }],
    ["remove", DOCUMENTS.remove, { id }],
    ["delete", DELETE, { id }],
  ];
  for (const [what, document, variables] of attempts) {
    for (const [who, headers] of [
      ["platform", platform],
      ["listed", await b.at(group)],
    ] as const) {
      if (who === "listed" && what.startsWith("store")) continue;
      assert.equal(codeOf(await as(headers, document, variables)), "FORBIDDEN", `${what} by ${who}`);
    }
  }
  for (const headers of [{}, await b.at(group)]) {
    assert.equal(codeOf(await as(headers, STORE, { input: theirs })), "FORBIDDEN", "a stranger under allow");
  }
  const { body } = await as(platform, BULK, { inputs: [theirs, { ontology: "note", payload: {} }] });
  const { results } = body.data.bulkCreateMetaEnvelopes;
  assert.match(results[0].error, /^FORBIDDEN: /);
  assert.equal(results[1].success, true, "the other items are written");
  assert.deepEqual([await space.sees(a), await space.sees(b)], [MEMBER, OUTSIDER]);

  await as(await space.byGroup(), DOCUMENTS.remove, { id });
  assert.equal(codeOf(await as(platform, ROLLBACK, { id, version: 1 })), "FORBIDDEN", "revived");
  assert.deepEqual([await space.sees(a), await space.sees(b)], [OUTSIDER, OUTSIDER]);
  for (const input of [
    { ontology: GROUP, payload: { eName: b.ename, members: [a.ename] } },
    { ontology: "note", payload: { eName: group } },
  ]) {
    await created(space, platform, input);
  }
});

test("in a vault without a key others write its manifest, which gives no grants: it adds to whom a denial binds [decision V23]", async () => {
  for (const ontology of MANIFESTS) {
    await using space = await start();
    const { platform, a, b } = space;
    assert.deepEqual(await space.sees(a), OUTSIDER);
    const id = await created(space, platform, { ...manifest(space, [a]), ontology });
    assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, OUTSIDER]);
    await updated(space, platform, id, { ontology, payload: { participants: [b.ename] } });
    assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, DENIED_ONLY]);
    const stored = await space.as({}, STORE, {
      input: { ontology, payload: { ename: space.group, admins: [space.owner.ename] } },
    });
    assert.ok(stored.body.data.storeMetaEnvelope.metaEnvelope.id);
    assert.deepEqual(await space.sees(a), DENIED_ONLY, "a newer one of a stranger takes nobody out");
    const { body } = await space.as(platform, BULK, {
      inputs: [{ ontology, payload: { eName: space.group, members: [] } }],
    });
    assert.equal(body.data.bulkCreateMetaEnvelopes.results[0].success, true);
    assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, DENIED_ONLY]);
  }
});

test("no write of anybody but the owner ever lifts a denial: not a patch, a value, a rollback, a removal, a newer manifest or a change out of it [decision V23]", async () => {
  const lifts: readonly ((space: Space, id: string) => Promise<Answer>)[] = [
    (space, id) => space.as(space.platform, DOCUMENTS.update, { id, input: manifest(space, []) }),
    (space, id) =>
      space.as(space.platform, UPDATE_VALUE, {
        envelopeId: `${id}.${Buffer.from("members").toString("base64url")}`,
        newValue: [],
      }),
    (space, id) => space.as(space.platform, ROLLBACK, { id, version: 1 }),
    (space, id) => space.as(space.platform, DOCUMENTS.remove, { id }),
    (space, id) => space.as(space.platform, DELETE, { id }),
    (space) => space.as(space.platform, DOCUMENTS.create, { input: manifest(space, []) }),
    (space, id) => space.as(space.platform, DOCUMENTS.update, { id, input: { ontology: "note", payload: {} } }),
    (space, id) =>
      space.as(space.platform, DOCUMENTS.update, { id, input: { ontology: GROUP, payload: { eName: space.a.ename } } }),
  ];
  for (const lift of lifts) {
    await using space = await start();
    const { a, b, platform } = space;
    const id = await created(space, platform, manifest(space, []));
    await updated(space, platform, id, manifest(space, [a]));
    assert.deepEqual(await space.sees(a), DENIED_ONLY);
    assert.equal(codeOf(await lift(space, id)), undefined);
    assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, OUTSIDER], lift.toString());
    await space.giveKey();
    assert.deepEqual(await space.sees(a), DENIED_ONLY, "a first key lifts nothing");
    const own = await created(space, await space.byGroup(), manifest(space, [b]));
    assert.deepEqual(
      [await space.sees(a), await space.sees(b)],
      [OUTSIDER, MEMBER],
      "the owner's own statement replaces it",
    );
    await updated(space, await space.byGroup(), own, manifest(space, []));
    assert.deepEqual(await space.sees(b), OUTSIDER);
  }
});

test("members whom others wrote never count after the owner's next change, but those do whom the owner wrote [decision V23]", async () => {
  await using space = await start();
  const { a, b, owner, platform, group } = space;
  const id = await created(space, platform, {
    ...manifest(space, [a]),
    payload: { eName: group, members: [a.ename], admins: [a.ename] },
  });
  await space.giveKey();
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { name: "ours" } });
  assert.deepEqual(await space.sees(a), DENIED_ONLY, "the owner wrote a name and no members");
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { participants: [b.ename] } });
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, MEMBER]);
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { members: [a.ename] } });
  assert.deepEqual(await space.sees(a), MEMBER, "the owner wrote the same members itself");
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { members: [] } });
  assert.deepEqual(await space.sees(a), DENIED_ONLY, "left is the field that the owner never wrote");
  const value = { envelopeId: `${id}.${Buffer.from("admins").toString("base64url")}`, newValue: [owner.ename] };
  assert.equal(codeOf(await space.as(await space.byGroup(), UPDATE_VALUE, value)), undefined);
  assert.deepEqual([await space.sees(a), await space.sees(b)], [OUTSIDER, MEMBER]);

  assert.equal(codeOf(await space.as(await space.byGroup(), ROLLBACK, { id, version: 1 })), undefined);
  assert.deepEqual(
    [await space.sees(a), await space.sees(b)],
    [DENIED_ONLY, OUTSIDER],
    "a version that others wrote gives no grants when it comes back",
  );
  assert.equal(codeOf(await space.as(await space.byGroup(), ROLLBACK, { id, version: 4 })), undefined);
  assert.deepEqual([await space.sees(a), await space.sees(b)], [MEMBER, MEMBER]);
});

test("what others wrote into a record before the owner makes a manifest of it counts for no grant [decision V23]", async () => {
  await using space = await start();
  await space.giveKey();
  const { a, b, platform, group } = space;
  const id = await created(space, platform, { ontology: "note", payload: { members: [a.ename] } });
  await updated(space, await space.byGroup(), id, {
    ontology: MANIFEST,
    payload: { eName: group, participants: [b.ename] },
  });
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, MEMBER]);
  await updated(space, await space.byGroup(), id, { ontology: "note", payload: {} });
  assert.deepEqual([await space.sees(a), await space.sees(b)], [OUTSIDER, OUTSIDER]);
  await updated(space, platform, id, { ontology: "note", payload: { participants: [a.ename, b.ename] } });
  await updated(space, await space.byGroup(), id, { ontology: MANIFEST, payload: {} });
  assert.deepEqual(
    [await space.sees(a), await space.sees(b)],
    [DENIED_ONLY, DENIED_ONLY],
    "a legacy token wrote the field meanwhile",
  );
});

test("a record that the owner alone wrote counts whole once the owner makes a manifest of it; with a version of another it does not [decision V23]", async () => {
  for (const isShared of [false, true]) {
    await using space = await start();
    const { a, b, group, platform, vault } = space;
    await space.giveKey();
    const payload = { title: "a list", participantIds: [a.ename] };
    const id = await created(space, await space.byGroup(), { ontology: "note", payload });
    if (isShared) await updated(space, platform, id, { ontology: "note", payload: { title: "another title" } });
    const change = { ontology: MANIFEST, payload: { eName: group, memberIds: [b.ename] } };
    await updated(space, await space.byGroup(), id, change);
    assert.deepEqual([await space.sees(a), await space.sees(b)], [isShared ? DENIED_ONLY : MEMBER, MEMBER]);
    const long = await created(space, await space.byGroup(), { ontology: "note", payload });
    const text = "update meta_envelope set version = 1001 where owner = $1 and id = $2";
    await vault.database.query({ text, values: [group, long] });
    await updated(space, await space.byGroup(), long, change);
    assert.deepEqual(await space.sees(a), DENIED_ONLY, "nobody reads more than 1,000 versions for one write");
  }
});

test("a quarantined manifest says nothing, and counts once the owner touches it only as far as the owner wrote it [decision V23] [decision I3]", async () => {
  await using space = await start();
  const { a, b, group, vault } = space;
  await vault.database.query({ text: "update vault set created_at = now() - interval '11 minutes'", values: [] });
  const { body } = await space.as({}, STORE, { input: manifest(space, [a]) });
  const { id } = body.data.storeMetaEnvelope.metaEnvelope;
  assert.deepEqual(await space.sees(a), OUTSIDER);
  await space.giveKey();
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { eName: group, admins: [b.ename] } });
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, MEMBER]);
});

test("the newest manifest alone counts, and of a group that says more than can be read a denial binds everybody [decision V23]", async () => {
  await using space = await start();
  const { a, b, platform } = space;
  for (let round = 0; round < 17; round += 1) await created(space, platform, manifest(space, [a]));
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, DENIED_ONLY]);
  await space.giveKey();
  await created(space, await space.byGroup(), manifest(space, [a]));
  const newest = await created(space, await space.byGroup(), manifest(space, [b]));
  assert.deepEqual([await space.sees(a), await space.sees(b)], [OUTSIDER, MEMBER]);
  await space.as(await space.byGroup(), DOCUMENTS.remove, { id: newest });
  assert.deepEqual([await space.sees(a), await space.sees(b)], [MEMBER, OUTSIDER]);
});

test("two changes of a manifest at once leave one word: that of the newest version [decision V23] [decision V8]", async () => {
  await using space = await start();
  await space.giveKey();
  const people = await Promise.all(Array.from({ length: 4 }, () => createPerson(space.vault)));
  const id = await created(space, await space.byGroup(), manifest(space, []));
  const tokens = await Promise.all(people.map(() => space.byGroup()));
  await Promise.all(
    people.map((person, index) => updated(space, tokens[index] as Headers, id, manifest(space, [person]))),
  );
  const { body } = await space.as(await space.byGroup(), DOCUMENTS.read, { id });
  const [member] = body.data.metaEnvelope.parsed.members;
  for (const person of people) assert.deepEqual(await space.sees(person), person.ename === member ? MEMBER : OUTSIDER);
  const { rows } = await space.vault.database.query({
    text: "select version from group_statement where current",
    values: [],
  });
  assert.deepEqual(rows, [{ version: 5 }]);
});

/** Deletes the facts about groups and computes them again from the versions, as the migration does. */
async function migrateAnew({ vault }: Space): Promise<void> {
  const migration = new URL("../src/store/migrations/011-group-statements.sql", import.meta.url);
  const text = await readFile(migration, "utf8");
  await vault.database.transaction(async (transaction) => {
    await transaction.query({ text: "drop table group_statement", values: [] });
    await transaction.query({ text, values: [] });
  });
}

test("versions from before the rule count in the same way: the owner's give grants, and what others wrote only denies [decision V23]", async () => {
  await using space = await start();
  const { a, b, owner, platform, group } = space;
  const id = await created(space, platform, manifest(space, [a], { eName: ` ${group.toUpperCase()}` }));
  await migrateAnew(space);
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, OUTSIDER]);
  await updated(space, platform, id, manifest(space, []));
  await migrateAnew(space);
  assert.deepEqual(await space.sees(a), DENIED_ONLY, "who was named once stays denied");
  await space.giveKey();
  await updated(space, await space.byGroup(), id, { ontology: GROUP, payload: { name: "n", admins: [b.ename] } });
  await migrateAnew(space);
  assert.deepEqual(
    [await space.sees(a), await space.sees(b), await space.sees(owner)],
    [DENIED_ONLY, MEMBER, OUTSIDER],
  );
  const own = await created(space, await space.byGroup(), manifest(space, [a]));
  await updated(space, await space.byGroup(), own, { ontology: GROUP, payload: { members: [owner.ename] } });
  await migrateAnew(space);
  assert.deepEqual([await space.sees(a), await space.sees(b), await space.sees(owner)], [OUTSIDER, OUTSIDER, MEMBER]);
  assert.equal(codeOf(await space.as(await space.byGroup(), ROLLBACK, { id: own, version: 1 })), undefined);
  assert.deepEqual([await space.sees(a), await space.sees(owner)], [MEMBER, OUTSIDER]);
  await space.as(await space.byGroup(), DOCUMENTS.remove, { id: own });
  await migrateAnew(space);
  assert.deepEqual([await space.sees(a), await space.sees(b)], [DENIED_ONLY, MEMBER], "a removed one says nothing");
});
