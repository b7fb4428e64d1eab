import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { countAttempts } from "../src/store/attempt-counts.ts";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { signIn } from "./support/portal-visitor.ts";
import { startWorker, until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

const LIST = "/portal/subscriptions";
const HOSTILE = [
  `"><img src=x onerror=alert(1)><script>alert(1)</script>`,
  "W".repeat(250),
  `\u202e${"אבגדה".repeat(20)}`,
  "👩‍👩‍👧‍👦".repeat(15),
];

async function openPortal(t: TestContext, form: Record<string, string> = {}) {
  const awareness = await startAwareness(t);
  const visitor = await signIn(awareness, await awareness.createPerson());
  const fields = { targetUrl: awareness.endpoint.url, ontologyFilter: "", vaultFilter: "", ...form };
  const { html } = await visitor.send(LIST, fields);
  const path = /href="(\/portal\/subscriptions\/[0-9a-f-]{36})"/.exec(html)?.[1] as string;
  const run = (text: string, values: readonly unknown[] = []) =>
    awareness.database.query<Record<string, unknown>>({ text, values: [...values] });
  const settled = (count: number) =>
    until(async () => (await run("select from attempt")).rowCount >= count, `${count} attempts`);
  return { awareness, visitor, path, id: path.split("/").at(-1) as string, run, settled, html };
}

/** Writes attempts of the past, `minutes` ago each. */
const PAST = `insert into attempt (id, subscription_id, event_id, number, started_at, duration_ms, status, answer)
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7000800000000000' || lpad(to_hex(n), 4, '0'))::uuid,
         $1, gen_random_uuid(), 1, at, 40, $3, ''
    from generate_series(1, $4::int) n, lateral (select now() - $2::int * interval '1 minute' as at) a`;

test("the overview counts attempts of the last hour and day, by span, and not those of others [decision E7]", async (t) => {
  const { awareness, visitor, id, run } = await openPortal(t);
  await run(PAST, [id, 30, 204, 3]);
  await run(PAST, [id, 31, 500, 1]);
  await run(PAST, [id, 300, 204, 5]);
  await run(PAST, [id, 1500, 204, 7]);
  const figures = ({ html }: { readonly html: string }) =>
    [...html.matchAll(/class="figure">([^<]*)</g)].map(([, figure]) => figure).slice(0, 3);
  assert.deepEqual(figures(await visitor.open("/portal?period=hour")), ["75 %", "3", "1"]);
  const day = await visitor.open("/portal");
  assert.deepEqual(figures(day), ["88.8 %", "8", "1"]);
  assert.match(day.html, /aria-label="Last day: 8 attempts delivered, 1 attempt failed"/);
  const stranger = await signIn(awareness, await awareness.createPerson());
  assert.match((await stranger.open("/portal")).html, /No subscriptions yet/);
});

test("above its limit a count takes the newest attempts, along the primary key, and says since when it is complete", async (t) => {
  const { id, run, awareness } = await openPortal(t);
  for (const minutes of [10, 20, 30]) await run(PAST, [id, minutes, 204, 20]);
  const owner = await run("select consumer_id as id from subscription");
  const span = { consumerId: owner.rows[0]?.["id"] as string, sinceMs: Date.now() - 3_600_000, spanMs: 60_000 };
  const all = await countAttempts(awareness.database, span);
  assert.deepEqual([all.completeSince, all.counts.reduce((sum, one) => sum + one.delivered, 0)], [null, 60]);
  const cut = await countAttempts(awareness.database, span, 30);
  assert.equal(
    cut.counts.reduce((sum, one) => sum + one.delivered, 0),
    30,
  );
  assert.ok(Math.abs(Date.parse(cut.completeSince ?? "") - (Date.now() - 20 * 60_000)) < 60_000);
});

test("an endpoint's state is what happened last and what comes next [decision E7]", async (t) => {
  const { awareness, visitor, path, run, settled } = await openPortal(t);
  const state = async () =>
    /class="state sentence[^>]*><span>(.*?)<\/span><\/span>/
      .exec((await visitor.open("/portal")).html)?.[1]
      ?.replace(/<[^>]+>/g, "")
      .replace(/\s+/g, " ");
  assert.equal(await state(), "No deliveries yet");
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(makeEvent());
  await settled(1);
  assert.equal(await state(), "Healthy");
  awareness.endpoint.status = 500;
  await awareness.ingest(makeEvent());
  await settled(2);
  assert.match((await state()) ?? "", /^Failing: answered 500, next try in \d s$/);
  await run("update lane set next_at = now() + interval '41.5 seconds' where next_at is not null");
  assert.match((await state()) ?? "", /^Failing: answered 500, next try in 4[01] s$/);
  await run("update delivery set state = 'dead', settled_at = now() where state = 'pending'");
  await run("update lane set next_at = null, done_version = tail_version");
  assert.equal(await state(), "Last attempt failed: answered 500");
  await run("update subscription set opened_at = now(), probe_at = now() + interval '5 minutes'");
  assert.match((await state()) ?? "", /^Failing: answered 500, next try in 5 min$/);
  await visitor.send(`${path}/active`, { active: "false" });
  assert.equal(await state(), "Paused: new events are not sent");
});

test("attempts are filtered by status, ontology and time, page by page [decision E7]", async (t) => {
  const { awareness, visitor, path, id, run, settled } = await openPortal(t);
  await using _worker = startWorker(awareness.database);
  await awareness.ingest([makeEvent({ schemaId: "post" }), makeEvent({ schemaId: "note" })]);
  await settled(2);
  await run(PAST, [id, 600, 503, 60]);
  const rows = async (query: string) => {
    const { html, status } = await visitor.open(`${path}/attempts${query}`);
    const next = /href="([^"]*[?&]after=[^"]*|[^"]*&amp;after=[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    return { status, html, count: [...html.matchAll(/\/events\//g)].length, next };
  };
  const first = await rows("?outcome=failed");
  const second = await rows(first.next?.slice(first.next.indexOf("?")) ?? "");
  const third = await rows(second.next?.slice(second.next.indexOf("?")) ?? "");
  assert.deepEqual([first.count, second.count, third.count, third.next], [25, 25, 10, undefined]);
  assert.equal((await rows("?outcome=delivered")).count, 2);
  assert.equal((await rows("?ontology=post")).count, 1);
  assert.equal((await rows("?ontology=post&outcome=failed")).count, 0);
  const picked = (ms: number) => new Date(Date.now() - ms).toISOString().slice(0, 16);
  assert.equal((await rows(`?since=${picked(3_600_000)}`)).count, 2);
  assert.equal((await rows(`?until=${picked(3_600_000)}&outcome=delivered`)).count, 0);
  const faulty = await rows("?since=yesterday");
  assert.deepEqual([faulty.status, /Enter a date and time, or leave it empty/.test(faulty.html)], [422, true]);
  assert.equal((await rows(`?since=${picked(0)}&until=${picked(3_600_000)}`)).status, 422);
  assert.equal((await rows("?after=nothing")).status, 400);
});

test("a delivered event is sent again by Resend, marked as a replay, and not while its consumer may not read it [decision E7]", async (t) => {
  const { awareness, visitor, path, settled } = await openPortal(t);
  const event = makeEvent();
  const at = `${path}/events/${eventIdOf(event)}`;
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(event);
  await settled(1);
  assert.match((await visitor.open(at)).html, /Resend/);
  assert.match((await visitor.send(`${at}/resend`)).html, /1 event of 1 record is queued again/);
  await settled(2);
  assert.equal(awareness.endpoint.received.at(-1)?.headers["webhook-replay"], "true");
  const { id } = JSON.parse(event.body);
  const closed = { acl: [], _acl: null, owner: null };
  await awareness.ingest(makeEvent({ id, streamVersion: 2, policy: closed }));
  assert.equal((await visitor.send(`${at}/resend`)).status, 404);
  assert.equal((await visitor.send(`${path}/events/${crypto.randomUUID()}/resend`)).status, 404);
});

test("hostile names are shown as text in every list, card and form [T-71]", async (t) => {
  const { awareness, visitor, path, settled } = await openPortal(t, { ontologyFilter: HOSTILE.join("\n") });
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(
    HOSTILE.map((schemaId) => makeEvent({ schemaId, data: { text: "W".repeat(10_000) + schemaId } })),
  );
  await settled(HOSTILE.length);
  await visitor.send("/portal/api-keys", { label: HOSTILE[0]?.slice(0, 100) ?? "" });
  const event = /\/events\/[0-9a-f-]{36}/.exec((await visitor.open(`${path}/attempts`)).html)?.[0];
  for (const page of [
    "/portal",
    LIST,
    path,
    `${path}/edit`,
    `${path}/attempts`,
    `${path}${event}`,
    "/portal/api-keys",
  ]) {
    const { status, html } = await visitor.open(page);
    assert.equal(status, 200, page);
    assert.doesNotMatch(html, /<script>|<img src=x/, page);
  }
  const echoed = await visitor.send(LIST, { targetUrl: "no", ontologyFilter: HOSTILE[0] ?? "", vaultFilter: "" });
  assert.deepEqual([echoed.status, /<img src=x/.test(echoed.html)], [422, false]);
});

test("while the database is away a page says so and offers the same request again, with what was written", async (t) => {
  const { awareness, visitor, path, run } = await openPortal(t);
  await run("alter table subscription rename to away");
  const page = await visitor.open(`${path}/attempts?outcome=failed`);
  assert.equal(page.status, 500);
  assert.match(page.html, /This page is not available now/);
  assert.match(page.html, /href="[^"]*attempts\?outcome=failed"[^>]*>.*Try again/);
  const written = { targetUrl: awareness.endpoint.url, ontologyFilter: "a\n</textarea><script>", vaultFilter: "" };
  const refused = await visitor.send(path, written);
  assert.match(refused.html, /name="ontologyFilter">\s*a\n&lt;\/textarea&gt;&lt;script&gt;/);
  const foreign = await visitor.send(path, written, { "sec-fetch-site": "cross-site" });
  assert.doesNotMatch(foreign.html, /name="ontologyFilter"/);
  await run("alter table away rename to subscription");
  assert.equal((await visitor.send(path, written)).location, path);
});
