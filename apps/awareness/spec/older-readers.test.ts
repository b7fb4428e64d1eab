import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { measureLoopHolds } from "@dataspace/service-kit/testing/loop-holds";
import { eventIdOf, makeEvent, type SentEvent } from "./support/events.ts";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const PATH = "/api/packets";
const START = 1_790_000_000_000;
const isoAt = (ms: number) => new Date(ms).toISOString();
const policy = (acl: readonly string[] | null, _acl: object | null = null) => ({ acl, _acl, owner: null });

async function send(awareness: TestAwareness, ...events: SentEvent[]): Promise<void> {
  assert.equal((await awareness.ingest(events)).status, 200);
  const text = "select from unnumbered";
  while ((await awareness.database.query({ text, values: [] })).rowCount > 0) {
    await new Promise((go) => setTimeout(go, 5));
  }
}

async function withEvents(t: Parameters<typeof startAwareness>[0], count: number) {
  const time = { nowMs: START };
  const awareness = await startAwareness(t, { nowMs: () => time.nowMs });
  const credential = await (await awareness.createPerson()).token();
  const events: SentEvent[] = [];
  for (let n = 0; n < count; n += 1) {
    const event = makeEvent({ id: `r${n}`, schemaId: ["note", "poll", "chat"][n % 3]! });
    events.push(event);
    await send(awareness, event);
    time.nowMs += 60_000;
  }
  time.nowMs = START;
  const idsOf = async (query: string) => {
    const { status, body } = await awareness.ask(`${PATH}?${query}`, { credential });
    assert.equal(status, 200, JSON.stringify(body));
    return body.packets.map((packet: { id: string }) => packet.id);
  };
  return { awareness, credential, events, idsOf };
}

test("each packet has its ontology and the time of its receipt beside what the vault wrote [decision E7]", async (t) => {
  const { awareness, credential, events } = await withEvents(t, 1);
  const { body } = await awareness.ask(PATH, { credential });
  const { ontology, receivedAt, ...rest } = body.packets[0];
  assert.equal(JSON.stringify(rest), events[0]?.body);
  assert.deepEqual([ontology, receivedAt], ["note", isoAt(START)]);
});

test("pages are followed by hasMore and nextCursor, which is null at the end [decision E7]", async (t) => {
  const { awareness, credential } = await withEvents(t, 5);
  const seen: string[] = [];
  let query = "limit=2";
  for (;;) {
    const { body } = await awareness.ask(`${PATH}?${query}`, { credential });
    seen.push(...body.packets.map((packet: { id: string }) => packet.id));
    assert.equal(body.hasMore, body.more);
    if (!body.hasMore) {
      assert.equal(body.nextCursor, null);
      break;
    }
    assert.equal(body.nextCursor, body.cursor);
    query = `limit=2&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(seen, ["r0", "r1", "r2", "r3", "r4"]);
});

test("`ontology` lists several, separated by commas or repeated [decision E7]", async (t) => {
  const { idsOf, awareness, credential } = await withEvents(t, 6);
  assert.deepEqual(await idsOf("ontology=note,chat"), ["r0", "r2", "r3", "r5"]);
  assert.deepEqual(await idsOf("ontology=poll,chat&ontology=note&limit=4"), ["r0", "r1", "r2", "r3"]);
  for (const query of ["ontology=note,", `ontology=${Array.from({ length: 101 }, (_, n) => n).join(",")}`]) {
    assert.equal((await awareness.ask(`${PATH}?${query}`, { credential })).code, "BAD_REQUEST", query.slice(0, 20));
  }
});

test("`from` and `to` bound the time of receipt, also where some events are gone and across pages [decision E7]", async (t) => {
  const { idsOf, awareness, credential } = await withEvents(t, 12);
  const at = (minute: number) => encodeURIComponent(isoAt(START + minute * 60_000));
  assert.deepEqual(await idsOf(`from=${at(9)}`), ["r9", "r10", "r11"]);
  assert.deepEqual(await idsOf(`to=${at(2)}`), ["r0", "r1", "r2"]);
  assert.deepEqual(await idsOf(`from=${at(3)}&to=${at(4)}`), ["r3", "r4"]);
  assert.deepEqual(await idsOf(`from=${at(3)}&limit=1&cursor=5`), ["r5"]);
  assert.deepEqual(await idsOf(`from=${at(100)}`), []);
  assert.deepEqual(await idsOf(`from=${encodeURIComponent("2020-01-01T00:00:00+02:00")}&limit=1`), ["r0"]);
  await awareness.database.query({ text: "delete from feed where position in (1, 2, 5, 6, 9)", values: [] });
  assert.deepEqual(await idsOf(`from=${at(4)}&to=${at(9)}`), ["r6", "r7", "r9"]);
  for (const query of ["from=yesterday", "to=2026-01-01", "from=0001-01-01T00:00:00Z", "from=%00"]) {
    assert.equal((await awareness.ask(`${PATH}?${query}`, { credential })).code, "BAD_REQUEST", query);
  }
});

test("one packet is read by its eventId, and is NOT_FOUND when its consumer may not read it now [decision E7]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const credential = await person.token();
  const open = makeEvent({ id: "open" });
  const closed = makeEvent({ policy: policy([]) });
  const own = makeEvent({ requestingPlatform: person.ename });
  await send(awareness, open, closed, own);
  const ask = (id: string) => awareness.ask(`${PATH}/${id}`, { credential });
  const { status, body } = await ask(eventIdOf(open));
  assert.deepEqual([status, body.packet.eventId, body.packet.ontology], [200, eventIdOf(open), "note"]);
  for (const id of [eventIdOf(closed), eventIdOf(own), randomUUID(), "none", "%00"]) {
    assert.deepEqual([(await ask(id)).status, (await ask(id)).code], [404, "NOT_FOUND"], id);
  }
  await send(awareness, makeEvent({ id: "open", streamVersion: 2, policy: policy([]) }));
  assert.equal((await ask(eventIdOf(open))).code, "NOT_FOUND");
  assert.equal((await awareness.ask(`${PATH}/${eventIdOf(open)}`)).code, "UNAUTHENTICATED");
});

/** 1,000 records, each with a policy of its own that has 256 entries and does not name the reader. */
async function sendPolicies(
  awareness: Awaited<ReturnType<typeof startAwareness>>,
  toPolicy: (enames: readonly string[]) => ReturnType<typeof policy>,
): Promise<void> {
  const enames = Array.from({ length: 255 }, () => `@${randomUUID()}`);
  for (let batch = 0; batch < 10; batch += 1) {
    const events = Array.from({ length: 100 }, (_, n) =>
      makeEvent({ id: `r${batch}.${n}`, policy: toPolicy([`@${randomUUID()}`, ...enames]) }),
    );
    await send(awareness, ...events);
  }
}

async function countPages(awareness: Awaited<ReturnType<typeof startAwareness>>, credential: string): Promise<number> {
  let cursor = "0";
  for (let pages = 1; ; pages += 1) {
    const { body } = await awareness.ask(`${PATH}?limit=1&cursor=${cursor}`, { credential });
    assert.deepEqual(body.packets, []);
    cursor = body.cursor;
    if (!body.more) return pages;
  }
}

test("pages over records with 256 grants each parse each policy once, ask for the groups every time, and never hold the event loop [decision V25]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  const toGrant = (ename: string) => ({ ename, perms: 1 });
  await sendPolicies(awareness, (enames) => policy(null, { v: 1, grants: enames.map(toGrant) }));
  const holds = measureLoopHolds();
  const pages = await countPages(awareness, credential);
  assert.ok(pages > 5, "a page reads 2 MiB of policies at most");
  assert.equal(await countPages(awareness, credential), 1, "what rests on groups alone is not read again");
  const longestMs = holds.end();
  // 50 ms, and the slack of a slow machine.
  assert.ok(longestMs < 150, `${longestMs} ms`);
});

test("pages over records with 256 readers each parse each policy once [decision V25]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  await sendPolicies(awareness, (enames) => policy(enames));
  assert.ok((await countPages(awareness, credential)) > 3, "a page reads 2 MiB of policies at most");
  assert.equal(await countPages(awareness, credential), 1, "what was decided is not read again");
  await send(awareness, makeEvent({ id: "r0.0", streamVersion: 2 }));
  const { body } = await awareness.ask(`${PATH}?cursor=0`, { credential });
  assert.equal(body.packets.length, 2, "a new policy is decided again");
});
