import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { eventIdOf, makeEvent, OWNER, type SentEvent } from "./support/events.ts";
import { INGEST_SECRET, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

async function rowsOf<Row>(awareness: TestAwareness, text: string): Promise<readonly Row[]> {
  return (await awareness.database.query<Row>({ text, values: [] })).rows;
}

async function subscribe(awareness: TestAwareness, terms: object = {}): Promise<string> {
  const person = await awareness.createPerson();
  const body = { targetUrl: awareness.endpoint.url, ...terms };
  const { status, body: made } = await awareness.ask("/api/subscriptions", { body, credential: await person.token() });
  assert.equal(status, 201, JSON.stringify(made));
  return made.id;
}

test("an event is stored to the byte with what it says and its policy, and answered `accepted` [V-EVT-202] [V-EVT-204] [V-EVT-205] [V-EVT-206] [V-EVT-207] [V-EVT-208] [V-EVT-211]", async (t) => {
  const awareness = await startAwareness(t);
  const policy = { acl: null, _acl: { v: 1, grants: [] }, owner: { statement: {} } };
  const event = makeEvent({ data: { text: 'a "quoted" word, é, \u2028' }, requestingPlatform: "blabsy", policy });
  const spaced = { ...event, body: event.body.replaceAll(",", " , ") };
  const { status, body } = await awareness.ingest(spaced);
  assert.deepEqual([status, body], [200, { results: [{ eventId: eventIdOf(event), status: "accepted" }] }]);
  const [stored] = await rowsOf<Record<string, unknown>>(awareness, "select * from event");
  assert.equal(stored?.["body"], spaced.body);
  assert.deepEqual(JSON.parse(String(stored?.["policy"])), policy);
  const said = ["dsid", "schema_id", "operation", "stream_version", "requesting_platform"].map(
    (name) => stored?.[name],
  );
  assert.deepEqual(said, [OWNER, "note", "create", 1, "blabsy"]);
});

test("/ingest without the secret, or with another, is 401 and stores nothing [V-EVT-200]", async (t) => {
  const awareness = await startAwareness(t);
  const body = JSON.stringify(makeEvent());
  const headers = { "content-type": "application/json" };
  const without = await fetch(`${awareness.url}/ingest`, { method: "POST", headers, body });
  assert.equal(without.status, 401);
  assert.equal(without.headers.get("www-authenticate"), "Bearer");
  for (const secret of [`${INGEST_SECRET}x`, INGEST_SECRET.slice(1), "x"]) {
    const { status, code } = await awareness.ingest(body, secret);
    assert.deepEqual([status, code], [401, "UNAUTHENTICATED"]);
  }
  assert.equal((await rowsOf(awareness, "select from event")).length, 0);
});

test("a list takes up to 100 events; more, or over 4 MiB, is 413 and stores nothing [V-EVT-203] [V-EVT-214] [V-EVT-215]", async (t) => {
  const awareness = await startAwareness(t);
  const hundred = Array.from({ length: 100 }, () => makeEvent());
  const tooMany = await awareness.ingest([...hundred, makeEvent()]);
  assert.deepEqual([tooMany.status, tooMany.code], [413, "PAYLOAD_TOO_LARGE"]);
  const tooLarge = await awareness.ingest([makeEvent({ data: { text: "x".repeat(4 * 1_048_576) } })]);
  assert.deepEqual([tooLarge.status, tooLarge.code], [413, "PAYLOAD_TOO_LARGE"]);
  assert.equal((await rowsOf(awareness, "select from event")).length, 0);
  const { status, body } = await awareness.ingest(hundred);
  assert.deepEqual(
    [status, new Set(body.results.map((result: { status: string }) => result.status))],
    [200, new Set(["accepted"])],
  );
  assert.deepEqual((await awareness.ingest([])).body, { results: [] });
});

test("the largest record a vault can write, all of whose characters are escaped twice on the way, is accepted beside a full _acl [V-EVT-260]", async (t) => {
  const awareness = await startAwareness(t);
  const data = { text: '"'.repeat((1_048_576 - 11) / 2) };
  assert.ok(Buffer.byteLength(JSON.stringify(data)) >= 1_048_575);
  const grants = Array.from({ length: 256 }, () => ({ ename: `@${randomUUID()}`, perms: 15 }));
  const event = makeEvent({
    data,
    policy: { acl: null, _acl: { v: 1, grants, note: "n".repeat(12_000) }, owner: null },
  });
  assert.equal((await awareness.ingest(event)).status, 200);
});

const other = { x: 1 };
const wrong: readonly (readonly [string, unknown])[] = [
  ["no object", "text"],
  ["a number in a list", [1]],
  ["a body that is an object", { ...makeEvent(), body: {} }],
  ["a body that is not JSON", { ...makeEvent(), body: "{" }],
  ["a body that is a list", { ...makeEvent(), body: "[]" }],
  ["no requestingPlatform", { body: makeEvent().body, policy: makeEvent().policy }],
  ["a requestingPlatform that is a number", { ...makeEvent(), requestingPlatform: 1 }],
  ["no policy", { body: makeEvent().body, requestingPlatform: null }],
  ["an acl that is a text", { ...makeEvent(), policy: { acl: "*", _acl: null, owner: null } }],
  ["an _acl that is a list", { ...makeEvent(), policy: { acl: null, _acl: [], owner: null } }],
  ["a policy with another member", { ...makeEvent(), policy: { acl: null, _acl: null, owner: null, ...other } }],
  ["another member beside the body", { ...makeEvent(), ...other }],
  ["another member in the body", makeEvent({ body: other })],
  ["an eventId that is not a UUID", makeEvent({ body: { eventId: "1" } })],
  ["an empty id", makeEvent({ body: { id: "" } })],
  ["an id with U+0000", makeEvent({ body: { id: "a\u0000" } })],
  ["a dsid that is not an eName", makeEvent({ body: { dsid: "somebody" } })],
  ["a schemaId that is a number", makeEvent({ body: { schemaId: 1 } })],
  ["data that is a list", makeEvent({ body: { data: [] } })],
  ["data that is null", makeEvent({ body: { data: null } })],
  ["a key that does not start with z", makeEvent({ body: { vaultPublicKey: "m1" } })],
  ["an operation of another kind", makeEvent({ body: { operation: "upsert" } })],
  ["a version that is a text", makeEvent({ body: { streamVersion: "1" } })],
  ["a version 0", makeEvent({ body: { streamVersion: 0 } })],
  ["a version with a fraction", makeEvent({ body: { streamVersion: 1.5 } })],
  ["a version beyond 32 bits", makeEvent({ body: { streamVersion: 2 ** 31 } })],
  ["an invalid time", makeEvent({ body: { occurredAt: "yesterday" } })],
  ["a day without a time", makeEvent({ body: { occurredAt: "2026-11-22" } })],
  ...["eventId", "id", "dsid", "schemaId", "data", "vaultPublicKey", "operation", "streamVersion", "occurredAt"].map(
    (name) => [`no ${name}`, makeEvent({ body: { [name]: undefined } })] as const,
  ),
];

test("an event with anything missing, unknown or of the wrong type is 400, and nothing beside it is stored [V-EVT-204] [V-EVT-205] [V-EVT-206] [V-EVT-160]", async (t) => {
  const awareness = await startAwareness(t);
  for (const [says, event] of wrong) {
    const { status, code } = await awareness.ingest(Array.isArray(event) ? event : [makeEvent(), event]);
    assert.deepEqual([status, code], [400, "INVALID_EVENT"], says);
  }
  assert.equal((await rowsOf(awareness, "select from event")).length, 0);
});

test("the same event again is `duplicate` and causes no second delivery [V-EVT-209] [V-DLV-006]", async (t) => {
  const awareness = await startAwareness(t);
  await subscribe(awareness);
  const event = makeEvent();
  const statuses = [];
  for (const sent of [event, event, [event, event]]) {
    const { status, body } = await awareness.ingest(sent);
    assert.equal(status, 200);
    statuses.push(...body.results.map((result: { status: string }) => result.status));
  }
  assert.deepEqual(statuses, ["accepted", "duplicate", "duplicate", "duplicate"]);
  assert.equal((await rowsOf(awareness, "select from event")).length, 1);
  assert.equal((await rowsOf(awareness, "select from delivery")).length, 1);
});

test("the same eventId with other content is `conflict` and 409; the others of the request are stored all the same [V-EVT-210] [V-EVT-212] [V-EVT-213]", async (t) => {
  const awareness = await startAwareness(t);
  const [known, fresh] = [makeEvent(), makeEvent()];
  await awareness.ingest(known);
  const changed = makeEvent({ eventId: eventIdOf(known), data: { a: 2 }, streamVersion: 2 });
  const { status, body } = await awareness.ingest([changed, fresh, known]);
  assert.equal(status, 409);
  const byId = (id: string) =>
    body.results
      .filter((result: { eventId: string }) => result.eventId === id)
      .map((result: { status: string }) => result.status)
      .sort();
  assert.deepEqual([byId(eventIdOf(known)), byId(eventIdOf(fresh))], [["conflict", "duplicate"], ["accepted"]]);
  const bodies = (await rowsOf<{ body: string }>(awareness, "select body from event")).map((row) => row.body);
  assert.deepEqual(new Set(bodies), new Set([known.body, fresh.body]));
});

test("an event that is not above its stream's newest version is a repeat, whatever its id; a version may be left out [decision E5] [V-EVT-209]", async (t) => {
  const awareness = await startAwareness(t);
  const id = "record";
  const statusOf = async (streamVersion: number) =>
    (await awareness.ingest(makeEvent({ id, streamVersion }))).body.results[0].status;
  assert.equal(await statusOf(3), "accepted");
  assert.equal(await statusOf(2), "duplicate");
  assert.equal(await statusOf(3), "duplicate");
  assert.equal(await statusOf(7), "accepted");
  const other = makeEvent({ id, dsid: "@00000000-0000-4000-8000-000000000002" });
  assert.equal((await awareness.ingest(other)).body.results[0].status, "accepted", "another owner's record of that id");
});

test("twenty senders of one event at a time store it once, and all senders of a conflicting one get a conflict [V-EVT-209] [V-EVT-210]", async (t) => {
  const awareness = await startAwareness(t);
  await subscribe(awareness);
  const event = makeEvent();
  const same = await Promise.all(Array.from({ length: 20 }, () => awareness.ingest(event)));
  const statuses = same.map(({ body }) => body.results[0].status).sort();
  assert.deepEqual(statuses, ["accepted", ...Array.from({ length: 19 }, () => "duplicate")]);
  // One id in different streams: no lock of a stream tells them apart.
  const eventId = randomUUID();
  const rivals = await Promise.all(Array.from({ length: 10 }, () => awareness.ingest(makeEvent({ eventId }))));
  const outcomes = rivals.map(({ status, body }) => `${status} ${body.results[0].status}`).sort();
  assert.deepEqual(outcomes, ["200 accepted", ...Array.from({ length: 9 }, () => "409 conflict")]);
  assert.equal((await rowsOf(awareness, "select from event")).length, 2);
  assert.equal((await rowsOf(awareness, "select from delivery")).length, 2);
});

test("a lane has its stream's newest version as its tail, is due at once, keeps the time it waits for, and its deliveries have 24 h from receipt [V-EVT-140] [decision E1]", async (t) => {
  const now = Date.parse("2026-11-22T10:00:00.000Z");
  const awareness = await startAwareness(t, { nowMs: () => now });
  const subscription = await subscribe(awareness);
  const version = (streamVersion: number) => makeEvent({ id: "r", streamVersion });
  await awareness.ingest([version(3), version(1), version(2)]);
  const lanes = () => rowsOf<Record<string, unknown>>(awareness, "select * from lane");
  const [lane] = await lanes();
  assert.deepEqual(
    [lane?.["subscription_id"], lane?.["record_id"], lane?.["tail_version"], lane?.["done_version"], lane?.["next_at"]],
    [subscription, "r", 3, 0, new Date(now)],
  );
  const deliveries = await rowsOf<Record<string, unknown>>(awareness, "select * from delivery order by stream_version");
  assert.deepEqual(
    deliveries.map((row) => [row["stream_version"], row["state"]]),
    [
      [1, "pending"],
      [2, "pending"],
      [3, "pending"],
    ],
  );
  assert.deepEqual(new Set(deliveries.map((row) => Number(row["deadline"]))), new Set([now + 24 * 3_600_000]));
  await awareness.database.query({ text: "update lane set next_at = $1", values: [new Date(now + 60_000)] });
  await awareness.ingest(version(4));
  const [waiting] = await lanes();
  assert.deepEqual([waiting?.["tail_version"], waiting?.["next_at"]], [4, new Date(now + 60_000)]);
  await awareness.database.query({ text: "update lane set next_at = null, done_version = 4", values: [] });
  await awareness.ingest(version(5));
  const [woken] = await lanes();
  assert.deepEqual([woken?.["tail_version"], woken?.["done_version"], woken?.["next_at"]], [5, 4, new Date(now)]);
});

test("requests that name the same streams in other orders neither deadlock nor lose one [decision E1]", async (t) => {
  const awareness = await startAwareness(t);
  await Promise.all([subscribe(awareness), subscribe(awareness)]);
  const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
  const rounds = Array.from({ length: 8 }, (_, round) =>
    ids.map((id) => makeEvent({ id, streamVersion: round + 1 })).sort(() => (round % 2 === 0 ? -1 : 1)),
  );
  const answers = await Promise.all(rounds.map((events: SentEvent[]) => awareness.ingest(events)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const heads = await rowsOf<{ v: number }>(awareness, "select last_version as v from stream_head");
  assert.deepEqual(
    heads.map(({ v }) => v),
    ids.map(() => 8),
  );
  const tails = await rowsOf<{ v: number }>(awareness, "select tail_version as v from lane");
  assert.deepEqual(
    tails.map(({ v }) => v),
    [...ids, ...ids].map(() => 8),
  );
});

test("the newest policy of a record is stored with its stream, and a repeat does not change it [V-EVT-181]", async (t) => {
  const awareness = await startAwareness(t);
  const event = (streamVersion: number, acl: string[]) =>
    makeEvent({ id: "r", streamVersion, policy: { acl, _acl: null, owner: null } });
  await awareness.ingest([event(1, ["*"]), event(2, [OWNER])]);
  await awareness.ingest(event(1, ["*"]));
  const [head] = await rowsOf<{ policy: string }>(awareness, "select policy from stream_head");
  assert.deepEqual(JSON.parse(head!.policy), { acl: [OWNER], _acl: null, owner: null });
});

test("an event is queued for the subscriptions whose filters hold it, and for no other [V-EVT-008] [V-EVT-287] [V-EVT-303] [V-EVT-304]", async (t) => {
  const awareness = await startAwareness(t);
  const all = await subscribe(awareness);
  const notes = await subscribe(awareness, { ontologyFilter: ["note", "chat"] });
  const owners = await subscribe(awareness, { vaultFilter: [OWNER] });
  await subscribe(awareness, { ontologyFilter: ["poll"] });
  await subscribe(awareness, { ontologyFilter: ["note"], vaultFilter: ["@00000000-0000-4000-8000-000000000002"] });
  const paused = await subscribe(awareness);
  await awareness.database.query({ text: "update subscription set active = false where id = $1", values: [paused] });
  await awareness.ingest([makeEvent(), makeEvent({ schemaId: "task", dsid: "@00000000-0000-4000-8000-000000000003" })]);
  const found = await rowsOf<{ id: string; n: number }>(
    awareness,
    "select subscription_id as id, count(*) as n from delivery group by 1",
  );
  assert.deepEqual(
    new Map(found.map(({ id, n }) => [id, n])),
    new Map([
      [all, 2],
      [notes, 1],
      [owners, 1],
    ]),
  );
});

test("the requesting platform does not receive its own write: by name, by eName, or by its target's origin [V-EVT-009] [V-EVT-300] [V-EVT-301] [V-EVT-302]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const body = { targetUrl: awareness.endpoint.url };
  await awareness.ask("/api/subscriptions", { body, credential: await person.token() });
  const received = async (requestingPlatform: string | null): Promise<boolean> => {
    const before = (await rowsOf(awareness, "select from delivery")).length;
    assert.equal((await awareness.ingest(makeEvent({ requestingPlatform }))).status, 200);
    return (await rowsOf(awareness, "select from delivery")).length > before;
  };
  assert.equal(await received(person.ename), false);
  const { origin } = new URL(awareness.endpoint.url);
  assert.equal(await received(origin), false);
  assert.equal(await received(`${origin}/another/path`), false);
  assert.equal(await received("http://127.0.0.1:9"), true);
  assert.equal(await received("blabsy"), true);
  assert.equal(await received(null), true);
  await awareness.database.query({ text: "update consumer set platform = 'blabsy', approved = true", values: [] });
  assert.equal(await received("blabsy"), false);
});

test("requests that bring the same new streams at the same time store each event once and number each stream in order [V-EVT-211] [V-EVT-213]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const versions = [1, 2, 3];
  const records = Array.from({ length: 8 }, (_, n) =>
    versions.map((v) => makeEvent({ id: `r${n}`, streamVersion: v })),
  );
  // Each request brings every stream, but not as far as the next one, and in another order.
  const requests = Array.from({ length: 9 }, (_, n) => records.map((record) => record.slice(0, 1 + (n % 3))));
  const answers = await Promise.all(
    requests.map((events, n) => awareness.ingest((n % 2 === 0 ? events : events.toReversed()).flat())),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const results = answers.flatMap(
    ({ body }) => body.results as { readonly eventId: string; readonly status: string }[],
  );
  const accepted = results.filter(({ status }) => status === "accepted").map(({ eventId }) => eventId);
  assert.deepEqual(accepted.sort(), records.flat().map(eventIdOf).sort());
  assert.equal(results.filter(({ status }) => status === "conflict").length, 0);
  const text = "select count(*) as n from unnumbered";
  while ((await awareness.database.query<{ n: number }>({ text, values: [] })).rows[0]!.n > 0)
    await new Promise(setImmediate);
  const { body } = await awareness.ask("/api/packets?cursor=0&limit=100");
  for (const [n] of records.entries()) {
    const packets = body.packets.filter(({ id }: { readonly id: string }) => id === `r${n}`);
    assert.deepEqual(
      packets.map(({ streamVersion }: { readonly streamVersion: number }) => streamVersion),
      versions,
    );
  }
});

test("an erasure blanks stored events and answers of receivers, and leaves removals in their places [V-DEC-694]", async (t) => {
  const awareness = await startAwareness(t);
  const event = makeEvent({ data: { text: "a canary to erase" } });
  await awareness.ingest(event);
  const headers = { "content-type": "application/json", authorization: `Bearer ${INGEST_SECRET}` };
  const erase = async (body: object, sent: Readonly<Record<string, string>> = headers) => {
    const answer = await fetch(`${awareness.url}/ingest/erasures`, {
      method: "POST",
      headers: sent,
      body: JSON.stringify(body),
    });
    return [answer.status, await answer.json()];
  };
  const before = "2999-01-01T00:00:00.000Z";
  assert.deepEqual(await erase({ dsid: OWNER, id: "another", before }), [200, { erased: 0 }]);
  const [refused] = await erase({ dsid: OWNER, id: null, before }, { "content-type": "application/json" });
  assert.equal(refused, 401);
  assert.deepEqual(await erase({ dsid: OWNER, id: null, before }), [200, { erased: 1 }]);
  assert.deepEqual(await erase({ dsid: OWNER, id: null, before }), [200, { erased: 0 }]);
  const [stored] = await rowsOf<{ body: string; operation: string }>(awareness, "select * from event");
  const body = JSON.parse(stored?.body ?? "{}");
  assert.deepEqual(
    [stored?.operation, body.operation, body.data, body.eventId],
    ["delete", "delete", {}, eventIdOf(event)],
  );
  assert.deepEqual(Object.keys(body), Object.keys(JSON.parse(event.body)));
});
