import assert from "node:assert/strict";
import { test } from "node:test";
import { eventIdOf, makeEvent, OWNER, type SentEvent } from "./support/events.ts";
import { type Answer, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const PATH = "/api/packets";

interface Packet {
  readonly eventId: string;
  readonly id: string;
  readonly streamVersion: number;
  readonly ontology: string;
  readonly receivedAt: string;
}

// What is stored is in the feed a moment later.
async function untilNumbered(awareness: TestAwareness): Promise<void> {
  const text = "select from unnumbered";
  while ((await awareness.database.query({ text, values: [] })).rowCount > 0)
    await new Promise((go) => setTimeout(go, 5));
}

async function send(awareness: TestAwareness, ...events: SentEvent[]): Promise<void> {
  assert.equal((await awareness.ingest(events)).status, 200);
  await untilNumbered(awareness);
}

async function readAll(read: (query: string) => Promise<Answer>, query = ""): Promise<readonly Packet[]> {
  const packets: Packet[] = [];
  let cursor = "0";
  for (;;) {
    const { status, body } = await read(`${PATH}?cursor=${cursor}${query}`);
    assert.equal(status, 200);
    packets.push(...body.packets);
    cursor = body.cursor;
    if (!body.more) return packets;
  }
}

const policy = (acl: readonly string[] | null, _acl: object | null = null) => ({ acl, _acl, owner: null });

test("pages of the feed follow each other without gap or repeat, each text as the vault wrote it [V-EVT-245]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const credential = await person.token();
  const events = Array.from({ length: 7 }, (_, n) => makeEvent({ id: `r${n}`, data: { n, text: 'é"' } }));
  await send(awareness, ...events);
  const packets = await readAll((path) => awareness.ask(path, { credential }), "&limit=3");
  assert.deepEqual(
    packets.map(({ ontology: _, receivedAt: _at, ...packet }) => JSON.stringify(packet)),
    events.map(({ body }) => body),
  );
  const first = await awareness.ask(`${PATH}?limit=3`, { credential });
  assert.deepEqual([first.body.packets.length, first.body.more], [3, true]);
  const end = await awareness.ask(`${PATH}?cursor=7`, { credential });
  assert.deepEqual(end.body, { packets: [], cursor: "7", more: false, gap: false, hasMore: false, nextCursor: null });
});

test("a consumer's feed holds what it may hear by the newest policy of each record, and its cursor passes the rest [V-EVT-181] [V-EVT-182] [V-EVT-183] [V-EVT-184] [V-EVT-185]", async (t) => {
  const awareness = await startAwareness(t);
  const [listed, other] = [await awareness.createPerson(), await awareness.createPerson()];
  const grant = (perms: number) => policy(null, { v: 1, grants: [{ ename: listed.ename, perms }] });
  const closedLater = (streamVersion: number, acl: string[]) =>
    makeEvent({ id: "r6", schemaId: "closed", streamVersion, policy: policy(acl) });
  await send(
    awareness,
    makeEvent({ id: "r1", schemaId: "public" }),
    makeEvent({ id: "r2", schemaId: "listed", policy: policy([listed.ename]) }),
    makeEvent({ id: "r3", schemaId: "granted", policy: grant(1) }),
    makeEvent({ id: "r4", schemaId: "denied", policy: grant(4) }),
    makeEvent({ id: "r5", schemaId: "owners", policy: policy([]) }),
    closedLater(1, ["*"]),
    closedLater(2, []),
  );
  const schemas = async (credential: string, at = awareness) => {
    const { body } = await at.ask(PATH, { credential });
    assert.equal(body.cursor, "7");
    return body.packets.map((packet: { schemaId: string }) => packet.schemaId);
  };
  assert.deepEqual(await schemas(await listed.token()), ["public", "listed", "granted"]);
  const { body: made } = await awareness.ask("/api/me/api-keys", {
    body: { label: "k" },
    credential: await other.token(),
  });
  assert.deepEqual(await schemas(made.key), ["public"]);
  const text = "update consumer set approved = true, platform = 'blabsy' where ename = $1";
  await awareness.database.query({ text, values: [other.ename] });
  assert.deepEqual(await schemas(made.key), ["public", "listed", "owners", "closed", "closed"]);
  const strict = await startAwareness(t, { database: awareness.database, legacyTokens: "reject" });
  assert.deepEqual(await schemas(made.key, strict), ["public"]);
});

test("filters by ontology and vault narrow the feed, and a platform's own writes are not in it [V-EVT-300] [V-EVT-303] [V-EVT-304]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const credential = await person.token();
  const elsewhere = "@00000000-0000-4000-8000-000000000002";
  const events = [
    makeEvent({ schemaId: "note" }),
    makeEvent({ schemaId: "poll" }),
    makeEvent({ schemaId: "note", dsid: elsewhere }),
    makeEvent({ schemaId: "own", requestingPlatform: person.ename }),
  ];
  for (const event of events) await send(awareness, event);
  const [note, poll, other] = events.map(eventIdOf);
  const found = async (query: string) =>
    (await readAll((path) => awareness.ask(path, { credential }), query)).map(({ eventId }) => eventId);
  assert.deepEqual(await found(""), [note, poll, other]);
  assert.deepEqual(await found("&ontology=note"), [note, other]);
  assert.deepEqual(await found("&ontology=note&ontology=poll"), [note, poll, other]);
  assert.deepEqual(await found(`&ontology=note&vault=${OWNER}`), [note]);
  assert.deepEqual(await found(`&vault=${elsewhere}`), [other]);
});

test("a parameter that cannot be read is 400, and nobody without a credential reads the feed", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  for (const route of [PATH, `${PATH}/stream`]) {
    assert.equal((await awareness.ask(route)).code, "UNAUTHENTICATED");
    for (const query of ["limit=0", "limit=x", "vault=somebody", "ontology=", "after=1"]) {
      assert.equal((await awareness.ask(`${route}?${query}`, { credential })).code, "BAD_REQUEST", query);
    }
    for (const cursor of ["x", "-1", "1.5", "", "9999999999999999"]) {
      assert.equal((await awareness.ask(`${route}?cursor=${cursor}`, { credential })).code, "BAD_CURSOR", cursor);
    }
  }
});

test("under concurrent senders a reader that follows the feed sees every event once, and each record's in the order of its versions [V-EVT-245] [V-DLV-007]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  const another = await startAwareness(t, { database: awareness.database });
  const [SENDERS, VERSIONS] = [6, 12];
  let isSending = true;
  const seen: Packet[] = [];
  const reading = (async () => {
    let cursor = "0";
    for (let last = false; ; ) {
      last = !isSending;
      const { body } = await awareness.ask(`${PATH}?limit=5&cursor=${cursor}`, { credential });
      seen.push(...body.packets);
      cursor = body.cursor;
      if (last && !body.more) return;
    }
  })();
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let streamVersion = 1; streamVersion <= VERSIONS; streamVersion += 1) {
        const to = (sender + streamVersion) % 2 === 0 ? awareness : another;
        assert.equal((await to.ingest(makeEvent({ id: `s${sender}`, streamVersion }))).status, 200);
      }
    }),
  );
  await untilNumbered(awareness);
  isSending = false;
  await reading;
  assert.equal(new Set(seen.map(({ eventId }) => eventId)).size, SENDERS * VERSIONS);
  assert.equal(seen.length, SENDERS * VERSIONS);
  for (let sender = 0; sender < SENDERS; sender += 1) {
    const versions = seen.filter(({ id }) => id === `s${sender}`).map(({ streamVersion }) => streamVersion);
    assert.deepEqual(
      versions,
      Array.from({ length: VERSIONS }, (_, index) => index + 1),
    );
  }
});

test("the stream tells new events with their places, goes on after Last-Event-ID, and hides what its consumer may not hear [V-EVT-246]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  await send(awareness, makeEvent({ id: "before" }));
  const follow = async (headers: Record<string, string>, count: number) => {
    const abort = new AbortController();
    const response = await fetch(`${awareness.url}${PATH}/stream`, {
      headers: { authorization: `Bearer ${credential}`, ...headers },
      signal: abort.signal,
    });
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
    const read = async (): Promise<readonly string[]> => {
      let text = "";
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.split("\n\n").length > count) break;
      }
      abort.abort();
      return text.split("\n\n").filter((message) => message !== "");
    };
    return read();
  };
  const eventsOf = (messages: readonly string[]) =>
    messages.map((message) => {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(message) ?? [];
      return [id, JSON.parse(data!).id];
    });
  const live = follow({}, 2);
  await new Promise((go) => setTimeout(go, 100));
  await send(awareness, makeEvent({ id: "one" }), makeEvent({ id: "r", policy: policy([]) }), makeEvent({ id: "two" }));
  assert.deepEqual(eventsOf(await live), [
    ["2", "one"],
    ["4", "two"],
  ]);
  assert.deepEqual(eventsOf(await follow({ "last-event-id": "0" }, 3)), [
    ["1", "before"],
    ["2", "one"],
    ["4", "two"],
  ]);
  assert.deepEqual(eventsOf(await follow({ "last-event-id": "2" }, 1)), [["4", "two"]]);
});

test("a consumer has at most 5 streams open, and an open one does not hold up the end of the service [decision E7]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  const abort = new AbortController();
  t.after(() => abort.abort());
  const open = () =>
    fetch(`${awareness.url}${PATH}/stream`, {
      headers: { authorization: `Bearer ${credential}` },
      signal: abort.signal,
    });
  const answers = [];
  for (let index = 0; index < 6; index += 1) answers.push(await open());
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 409],
  );
});

test("a stream ends after its API key is revoked, and after its consumer has lost its approval [decision E7]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  const { body: key } = await awareness.ask("/api/me/api-keys", { body: { label: "stream" }, credential });
  const open = async () => {
    const response = await fetch(`${awareness.url}${PATH}/stream`, { headers: { authorization: `Bearer ${key.key}` } });
    assert.equal(response.status, 200);
    return { end: response.text() };
  };
  const set = (text: string) => awareness.database.query({ text, values: [] });
  await set("update consumer set approved = true, platform = 'p' where ename is not null");
  const asPlatform = await open();
  await set("update consumer set approved = false, platform = null where ename is not null");
  await asPlatform.end;
  const byKey = await open();
  await set("update api_key set revoked_at = now()");
  await byKey.end;
});
