import assert from "node:assert/strict";
import { test } from "node:test";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { startAwareness } from "./support/start-awareness.ts";

test("dead letters, redrive and replay tell and touch only events that their consumer may read now [decision E7]", async (t) => {
  const awareness = await startAwareness(t);
  const credential = await (await awareness.createPerson()).token();
  const { body: key } = await awareness.ask("/api/me/api-keys", { body: { label: "k" }, credential });
  const ask = (path: string, body?: object) => awareness.ask(path, { body, credential: key.key });
  const { body: made } = await ask("/api/subscriptions", { targetUrl: awareness.endpoint.url });
  const at = `/api/subscriptions/${made.id}`;
  const closed = { acl: [], _acl: null, owner: null };
  const [open, hidden, later] = [makeEvent(), makeEvent({ policy: closed }), makeEvent({ id: "later" })];
  await awareness.ingest([open, hidden, later]);
  const set = (text: string) => awareness.database.query({ text, values: [] });
  await set("update delivery set state = 'dead', reason = 'endpoint_unavailable', settled_at = now()");
  await set("update lane set done_version = tail_version, next_at = null");
  const lettersOf = async (query = "") => {
    const { body } = await ask(`${at}/dead-letters${query}`);
    return body.deadLetters.map(({ eventId }: { eventId: string }) => eventId).sort();
  };
  assert.deepEqual(await lettersOf(), [eventIdOf(open), eventIdOf(later)].sort());
  assert.deepEqual(await lettersOf(`?eventId=${eventIdOf(hidden)}`), []);
  await awareness.ingest(makeEvent({ id: "later", streamVersion: 2, policy: closed }));
  await set("update lane set done_version = tail_version, next_at = null");
  assert.deepEqual(await lettersOf(), [eventIdOf(open)]);
  const replay = { since: "2020-01-01T00:00:00Z", dryRun: true };
  const counted = { deliveries: 1, lanes: 1, busyLanes: 0 };
  assert.deepEqual((await ask(`${at}/replay`, replay)).body, { dryRun: true, ...counted });
  assert.equal((await ask(`${at}/redrive`, { eventId: eventIdOf(hidden) })).body.deliveries, 0);
  assert.deepEqual((await ask(`${at}/redrive`, {})).body, { dryRun: false, ...counted });
  const { rows } = await awareness.database.query({ text: "select event_id from delivery where replay", values: [] });
  assert.deepEqual(rows, [{ event_id: eventIdOf(open) }]);
});

test("pages of dead letters go on past those that their consumer may not read, and end without a word of them [decision E7]", async (t) => {
  const awareness = await startAwareness(t, { devConsumer: true });
  const { body: made } = await awareness.ask("/api/subscriptions", { body: { targetUrl: awareness.endpoint.url } });
  const block = { acl: null, _acl: { v: 1 }, owner: null };
  const events = Array.from({ length: 9 }, (_, n) => makeEvent(n % 3 === 0 ? {} : { policy: block }));
  await awareness.ingest(events);
  const die = "update delivery set state = 'dead', reason = 'status_500', settled_at = now()";
  await awareness.database.query({ text: die, values: [] });
  const seen: string[] = [];
  let after = "";
  for (;;) {
    const { body } = await awareness.ask(`/api/subscriptions/${made.id}/dead-letters?first=2${after}`);
    seen.push(...body.deadLetters.map(({ eventId }: { eventId: string }) => eventId));
    if (body.next === null) break;
    assert.ok(seen.includes(body.next));
    after = `&after=${body.next}`;
  }
  assert.deepEqual(seen.sort(), [events[0], events[3], events[6]].map((event) => eventIdOf(event!)).sort());
});
