import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { signedReadingText } from "@dataspace/protocol/signed-reading";
import { eventIdOf, makeEvent, type SentEvent } from "./support/events.ts";
import { type Person, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const MANIFEST = "a8bfb7cf-3200-4b25-9ea9-ee41100f212e";
const ename = () => `@${randomUUID()}`;

/** A person with a wallet, and which of some events are in their feed. */
async function startWith(t: TestContext, choices: Parameters<typeof startAwareness>[1] = {}) {
  const awareness = await startAwareness(t, choices);
  const person = await awareness.createPerson();
  return { awareness, person };
}

async function receives(awareness: TestAwareness, person: Person, event: SentEvent): Promise<boolean> {
  const path = `/api/packets/${eventIdOf(event)}`;
  return (await awareness.ask(path, { credential: await person.token() })).status === 200;
}

function manifest(group: string, members: readonly string[], more: object = {}): SentEvent {
  return makeEvent({ dsid: group, id: "manifest", schemaId: MANIFEST, data: { eName: group, members }, ...more });
}

function under(block: object): SentEvent {
  return makeEvent({ policy: { acl: null, _acl: { v: 1, ...block }, owner: null } });
}

test("a group's grant counts for those whom the group's own newest manifest lists, from one event to the next [V-EVT-182] [decisions E4, V23]", async (t) => {
  const { awareness, person } = await startWith(t);
  const group = ename();
  const event = under({ grants: [{ ename: group, perms: 1 }] });
  await awareness.ingest(event);
  assert.equal(await receives(awareness, person, event), false);
  await awareness.ingest(manifest(group, [person.ename]));
  assert.equal(await receives(awareness, person, event), true);
  await awareness.ingest(manifest(group, [], { streamVersion: 2, operation: "update" }));
  assert.equal(await receives(awareness, person, event), false);
  await awareness.ingest(manifest(group, [person.ename], { streamVersion: 3, operation: "update" }));
  await awareness.ingest(manifest(group, [], { streamVersion: 4, operation: "delete", data: {} }));
  assert.equal(await receives(awareness, person, event), false);
});

test("a manifest in a vault without a key, by a platform or of another group grants nothing [decisions E4, V23]", async (t) => {
  const { awareness, person } = await startWith(t);
  const groups = [ename(), ename(), ename()] as const;
  const [keyless, byPlatform, foreign] = groups;
  const members = [person.ename];
  await awareness.ingest([
    manifest(keyless, members, { body: { vaultPublicKey: null } }),
    manifest(byPlatform, members, { requestingPlatform: "legacy" }),
    makeEvent({ dsid: ename(), schemaId: MANIFEST, data: { eName: foreign, members } }),
  ]);
  for (const group of groups) {
    const event = under({ grants: [{ ename: group, perms: 1 }] });
    await awareness.ingest(event);
    assert.equal(await receives(awareness, person, event), false);
  }
  // The owner's change of another field does not turn what a platform wrote into a grant.
  const data = { eName: byPlatform, members, admins: [ename()] };
  await awareness.ingest(manifest(byPlatform, members, { streamVersion: 2, operation: "update", data }));
  const event = under({ grants: [{ ename: byPlatform, perms: 1 }] });
  await awareness.ingest(event);
  assert.equal(await receives(awareness, person, event), false);
});

test("a group's denial binds its members and nobody else, and everybody while its members are unknown [decisions E4, V23]", async (t) => {
  const elsewhere = ename();
  const { awareness, person } = await startWith(t, { isKnown: async (name) => name === elsewhere });
  const [group, somebody, nowhere] = [ename(), ename(), ename()];
  const open = { require: [[]], default_perms: 1 };
  const denying = (name: string) => under({ ...open, denials: { enames: [name], conditions: [] } });
  const events = [group, somebody, nowhere, elsewhere].map(denying) as [SentEvent, SentEvent, SentEvent, SentEvent];
  await awareness.ingest([...events, makeEvent({ dsid: somebody }), manifest(group, [])]);
  const received = async () => Promise.all(events.map((event) => receives(awareness, person, event)));
  assert.deepEqual(await received(), [true, true, true, false]);
  await awareness.ingest(manifest(group, [person.ename], { streamVersion: 2, operation: "update" }));
  assert.deepEqual(await received(), [false, true, true, false]);
  // What a platform takes out of a manifest stays denied.
  await awareness.ingest(
    manifest(group, [], {
      streamVersion: 3,
      operation: "update",
      requestingPlatform: "legacy",
      body: { vaultPublicKey: null },
    }),
  );
  assert.deepEqual(await received(), [false, true, true, false]);
});

test("a condition is met by the newest signed reading in the subject's vault, while it counts [V-EVT-182] [decisions E4, V24]", async (t) => {
  let ahead = 0;
  const { awareness, person } = await startWith(t, { nowMs: () => Date.now() + ahead });
  const issuer = await awareness.createPerson();
  const ontology = ename();
  const event = under({
    require: [[{ ontology, path: "$.score", op: ">=", value: 60, issuer: issuer.ename }]],
    default_perms: 1,
  });
  await awareness.ingest(event);
  const reading = async (score: number, more: object = {}, by: Person = issuer) => {
    const [issuedAt, expiresAt] = [0, 3_600_000].map((after) => new Date(Date.now() + after).toISOString());
    const fixed = { type: "ds.signed-reading", schemaVersion: 1, subject: person.ename, ontology } as const;
    const statement = { ...fixed, data: { score }, issuedAt, expiresAt } as Parameters<typeof signedReadingText>[0];
    const signature = await by.signText(await signedReadingText(statement));
    const data = { statement, signature, signer: issuer.ename };
    await awareness.ingest(makeEvent({ dsid: person.ename, id: "reading", schemaId: ontology, data, ...more }));
    return receives(awareness, person, event);
  };
  assert.equal(await reading(90, {}, person), false, "signed by somebody else");
  assert.equal(await reading(59, { streamVersion: 2 }), false);
  assert.equal(await reading(60, { streamVersion: 3 }), true);
  ahead = 3_700_000;
  assert.equal(await receives(awareness, person, event), false, "it has expired");
  ahead = 0;
  assert.equal(await receives(awareness, person, event), true);
  await awareness.ingest(
    makeEvent({
      dsid: person.ename,
      id: "reading",
      schemaId: ontology,
      data: {},
      operation: "delete",
      streamVersion: 4,
    }),
  );
  assert.equal(await receives(awareness, person, event), false);
});

test("a list of members as long as a record can hold is stored and decided [decision V25]", async (t) => {
  const { awareness, person } = await startWith(t);
  const group = ename();
  const members = Array.from({ length: 20_000 }, ename);
  const event = under({ grants: [{ ename: group, perms: 1 }] });
  await awareness.ingest([manifest(group, [...members, person.ename]), event]);
  assert.equal(await receives(awareness, person, event), true);
});
