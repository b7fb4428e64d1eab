import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { openPageVisitor, type PageVisitor } from "@dataspace/service-kit/testing/page-visitor";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { signIn } from "./support/portal-visitor.ts";
import { startWorker, until } from "./support/real-delivery.ts";
import { type Person, startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const LIST = "/portal/subscriptions";
/** The budgets of one page, compressed. */
const MOST_SCRIPT_BYTES = 20_000;
const MOST_STYLE_BYTES = 12_000;

async function subscribe(visitor: PageVisitor, targetUrl: string, more = {}) {
  const { status, html } = await visitor.send(LIST, { targetUrl, ontologyFilter: "", vaultFilter: "", ...more });
  assert.equal(status, 201, html);
  const path = /href="(\/portal\/subscriptions\/[0-9a-f-]{36})"/.exec(html)?.[1] as string;
  return { path, secret: /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0] as string, html };
}

async function openPortal(t: TestContext) {
  const awareness = await startAwareness(t);
  const visitor = await signIn(awareness, await awareness.createPerson());
  return { awareness, visitor, ...(await subscribe(visitor, awareness.endpoint.url)) };
}

async function countOf(awareness: TestAwareness, text: string): Promise<number> {
  const { rows } = await awareness.database.query<{ n: number }>({
    text: `select count(*)::int as n ${text}`,
    values: [],
  });
  return rows[0]?.n ?? -1;
}

test("a secret is on the page that answers its creation, and on no other; no page is cached [V-EVT-283]", async (t) => {
  const { visitor, path, secret } = await openPortal(t);
  for (const at of [
    "/portal",
    LIST,
    path,
    `${path}/edit`,
    `${path}/attempts`,
    `${path}/dead-letters`,
    `${path}/replay`,
  ]) {
    const { status, html, headers } = await visitor.open(at);
    assert.deepEqual([status, headers.get("cache-control"), html.includes(secret)], [200, "no-store", false], at);
    assert.equal(headers.get("x-frame-options"), "DENY");
    assert.match(
      headers.get("content-security-policy") ?? "",
      /frame-ancestors 'none'.*require-trusted-types-for 'script'/,
    );
  }
});

test("a page of the portal loads at most 20 KB of scripts and 12 KB of styles, compressed", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const sizeOf = async (address: string) => {
    const response = await fetch(awareness.url + address);
    assert.equal(response.status, 200, address);
    return gzipSync(Buffer.from(await response.arrayBuffer())).length;
  };
  const sum = async (addresses: readonly string[]) =>
    (await Promise.all(addresses.map(sizeOf))).reduce((total, size) => total + size, 0);
  for (const at of [
    "/portal",
    LIST,
    path,
    `${path}/edit`,
    `${path}/attempts`,
    `${path}/dead-letters`,
    `${path}/replay`,
  ]) {
    const { html } = await visitor.open(at);
    const loaded = (tag: RegExp) => [...html.matchAll(tag)].map(([, address]) => address ?? "");
    const scripts = loaded(/<script[^>]* src="([^"]+)"/g);
    const styles = loaded(/<link rel="stylesheet" href="([^"]+)"/g);
    assert.ok(scripts.length > 0 || at !== path, `${at} has scripts`);
    assert.equal(styles.length, 1, at);
    assert.ok((await sum(scripts)) <= MOST_SCRIPT_BYTES, `scripts of ${at}`);
    assert.ok((await sum(styles)) <= MOST_STYLE_BYTES, `styles of ${at}`);
  }
});

test("a form that another site sends, or that lacks the visit's token, changes nothing [T-71]", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const sent = awareness.endpoint.received.length;
  const forms: readonly [Record<string, string>, Record<string, string>][] = [
    [{}, { "sec-fetch-site": "cross-site" }],
    [{}, { "sec-fetch-site": "same-site" }],
    [{}, { origin: "https://elsewhere.example" }],
    [{ token: "" }, { "sec-fetch-site": "same-origin" }],
    [{ token: "x".repeat(43) }, { "sec-fetch-site": "same-origin" }],
  ];
  for (const act of ["/test", "/remove", "/rotate-secret", "/active", "/redrive", ""]) {
    for (const [fields, headers] of forms) {
      const { status, html } = await visitor.send(path + act, { targetUrl: "https://x.example/", ...fields }, headers);
      assert.equal(status, 403, `${act} ${JSON.stringify(headers)}`);
      assert.match(html, /FOREIGN_FORM/);
    }
  }
  assert.equal(await countOf(awareness, "from subscription where active and not removed"), 1);
  assert.equal(await countOf(awareness, "from subscription_secret"), 1);
  assert.equal(awareness.endpoint.received.length, sent);
});

test("a form token of one visit is invalid in another", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const other = await signIn(awareness, await awareness.createPerson());
  const token = /name="token" value="([^"]+)"/.exec((await other.open(LIST)).html)?.[1] as string;
  assert.equal((await visitor.send(`${path}/remove`, { token })).status, 403);
  assert.equal((await visitor.send(`${path}/remove`)).status, 303);
});

test("nobody meets another's subscription on any page or form [decision E9]", async (t) => {
  const { awareness, path } = await openPortal(t);
  await using _worker = startWorker(awareness.database);
  const event = makeEvent();
  await awareness.ingest(event);
  const stranger = await signIn(awareness, await awareness.createPerson());
  const pages = ["", "/edit", "/attempts", "/dead-letters", "/replay", `/events/${eventIdOf(event)}`];
  for (const page of pages) assert.equal((await stranger.open(path + page)).status, 404, page);
  for (const act of ["", "/test", "/remove", "/rotate-secret", "/active", "/redrive", "/replay"]) {
    assert.equal((await stranger.send(path + act, { since: "2026-01-01T00:00:00Z" })).status, 404, act);
  }
  assert.doesNotMatch((await stranger.open(LIST)).html, /127\.0\.0\.1:\d+\/hook/);
});

test("an event's page shows each answer and the content, and looks as for an unknown event while its consumer may not read it [decision E7]", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const event = makeEvent({ data: { text: "for your eyes" } });
  await using _worker = startWorker(awareness.database);
  await awareness.ingest(event);
  await until(async () => (await countOf(awareness, "from delivery where state = 'delivered'")) === 1, "a delivery");
  const shown = await visitor.open(`${path}/events/${eventIdOf(event)}`);
  assert.match(shown.html, /for your eyes/);
  assert.match(shown.html, /Attempt 1.*204/s);
  const closed = { acl: ["@00000000-0000-4000-8000-0000000000aa"], _acl: null, owner: null };
  const { id } = JSON.parse(event.body);
  await awareness.ingest(makeEvent({ id, streamVersion: 2, operation: "update", policy: closed }));
  const withheld = await visitor.open(`${path}/events/${eventIdOf(event)}`);
  const unknown = await visitor.open(`${path}/events/${crypto.randomUUID()}`);
  assert.deepEqual([withheld.status, withheld.html], [404, unknown.html]);
  assert.equal((await visitor.open(`${path}/events/none`)).status, 400);
});

test("dead letters are listed with why, and sent again one by one or all at once [decision E7]", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const events = [makeEvent(), makeEvent(), makeEvent()];
  await awareness.ingest(events);
  const die = "update delivery set state = 'dead', reason = 'status_500', settled_at = now()";
  await awareness.database.query({ text: die, values: [] });
  await awareness.database.query({ text: "update lane set done_version = tail_version, next_at = null", values: [] });
  const listed = await visitor.open(`${path}/dead-letters`);
  assert.equal([...listed.html.matchAll(/The endpoint answered 500/g)].length, 3);
  const one = await visitor.send(`${path}/redrive`, { eventId: eventIdOf(events[0]!) });
  assert.match(one.html, /1 event of 1 record is queued again/);
  assert.equal([...one.html.matchAll(/The endpoint answered 500/g)].length, 2);
  assert.match((await visitor.send(`${path}/redrive`)).html, /2 events of 2 records are queued again/);
  const sent = awareness.endpoint.received.length;
  await using _worker = startWorker(awareness.database);
  await until(() => awareness.endpoint.received.length === sent + 3, "three deliveries");
});

test("what waits and what is dead is counted only of records that the consumer may read now [decision E7]", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const closed = { acl: [], _acl: null, owner: null };
  const [waiting, dead] = [makeEvent(), makeEvent()];
  await awareness.ingest([waiting, dead, ...[1, 2].map(() => makeEvent({ policy: closed }))]);
  const { id } = JSON.parse(dead.body);
  const die = "update delivery set state = 'dead', settled_at = now() where record_id = $1";
  await awareness.database.query({ text: die, values: [id] });
  const rest = "update lane set done_version = 1, next_at = null where record_id = $1";
  await awareness.database.query({ text: rest, values: [id] });
  const counts = async () => {
    const [one, list] = [(await visitor.open(path)).html, (await visitor.open(LIST)).html];
    return [/<dd>(\d+) records?</.exec(one)?.[1], /dead-letters">(\d+)</.exec(one)?.[1], /dead-letters">1</.test(list)];
  };
  assert.deepEqual(await counts(), ["1", "1", true]);
  await awareness.ingest(makeEvent({ id, streamVersion: 2, policy: closed }));
  assert.deepEqual(await counts(), ["1", "0", false]);
});

test("replay counts first and sends after a confirmation [decision E7]", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  await using _worker = startWorker(awareness.database);
  await awareness.ingest([makeEvent(), makeEvent()]);
  await until(
    async () => (await countOf(awareness, "from delivery where state = 'delivered'")) === 2,
    "two deliveries",
  );
  const since = new Date(Date.now() - 60_000).toISOString();
  assert.match((await visitor.send(`${path}/replay`, { since })).html, /2 events of 2 records/);
  assert.match((await visitor.send(`${path}/replay`, { period: "hour", since: "" })).html, /Replay 2 events/);
  const later = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
  assert.match((await visitor.send(`${path}/replay`, { period: "time", since: later })).html, /nothing to send again/);
  assert.equal(await countOf(awareness, "from delivery where replay"), 0);
  assert.match((await visitor.send(`${path}/replay`, { since, doIt: "yes" })).html, /queued again/);
  assert.equal(await countOf(awareness, "from delivery where replay"), 2);
  const progress = new RegExp(`replay is finished.*${since}.*: 2 events of 2 records`);
  assert.match((await visitor.open(`${path}/replay`)).html, progress);
  const refused = await visitor.send(`${path}/replay`, { since: "yesterday" });
  assert.equal(refused.status, 422);
  assert.match(refused.html, /aria-invalid="true"/);
});

test("a refused form keeps what was written and marks the field at fault", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const vaults = "@00000000-0000-4000-8000-000000000001\nnobody";
  const refused = await visitor.send(LIST, {
    targetUrl: awareness.endpoint.url,
    ontologyFilter: "note\n",
    vaultFilter: vaults,
  });
  assert.equal(refused.status, 422);
  assert.ok(refused.html.includes(vaults));
  assert.match(refused.html, /Line 2 is not an eName\./);
  assert.doesNotMatch(refused.html, /Change vaultFilter/);
  assert.match(refused.html, /<textarea id="vaultFilter"[^>]*aria-invalid="true"/);
  const target = await visitor.send(path, { targetUrl: "https://10.0.0.1/", ontologyFilter: "", vaultFilter: "" });
  assert.match(target.html, /<input id="targetUrl"[^>]*aria-invalid="true"/);
  const changed = await visitor.send(path, {
    targetUrl: awareness.endpoint.url,
    ontologyFilter: "a\n b \n\n",
    vaultFilter: "",
  });
  assert.equal(changed.location, path);
  assert.match((await visitor.open(`${path}/edit`)).html, />a\nb<\/textarea>/);
});

test("a page explains what it cannot show, and a form above its limit is refused", async (t) => {
  const { awareness, visitor, path } = await openPortal(t);
  const missing = await visitor.open(`${LIST}/${crypto.randomUUID()}`);
  assert.deepEqual([missing.status, missing.headers.get("content-type")], [404, "text/html; charset=utf-8"]);
  assert.match(missing.html, /Subscription not found/);
  const large = await visitor.send(path, { targetUrl: "x".repeat(300_000) });
  assert.equal(large.status, 413);
  const json = await fetch(awareness.url + path, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: "x",
  });
  assert.equal(json.status, 415);
  assert.equal((await openPageVisitor(awareness.url).open("/portal")).location, "/portal/sign-in");
});

test("API keys are made on the portal, shown once, used, and revoked there [decision E9]", async (t) => {
  const { awareness, visitor } = await openPortal(t);
  const { status, html } = await visitor.send("/portal/api-keys", { label: "our server" });
  const key = /dsk_[A-Za-z0-9_-]{43}/.exec(html)?.[0] as string;
  assert.equal(status, 201);
  assert.equal((await awareness.ask("/api/subscriptions", { credential: key })).body.subscriptions.length, 1);
  const listed = await visitor.open("/portal/api-keys");
  assert.match(listed.html, /our server/);
  assert.ok(!listed.html.includes(key));
  assert.equal((await visitor.send(`/portal/api-keys/${key.slice(0, 16)}/revoke`)).location, "/portal/api-keys");
  assert.equal((await awareness.ask("/api/subscriptions", { credential: key })).status, 401);
  const refused = await visitor.send("/portal/api-keys", { label: "" });
  assert.deepEqual([refused.status, refused.html.includes('aria-invalid="true"')], [422, true]);
});

test("the operator approves and withdraws platforms on the portal, and nobody else sees that page [decision E9]", async (t) => {
  const admins = new Set<Person["ename"]>();
  const awareness = await startAwareness(t, { admins });
  const [operator, other] = [await awareness.createPerson(), await awareness.createPerson()];
  admins.add(operator.ename);
  const visitor = await signIn(awareness, operator);
  assert.equal((await visitor.send("/portal/platforms", { ename: other.ename, platform: "blabsy" })).status, 303);
  const listed = await visitor.open("/portal/platforms");
  assert.ok(listed.html.includes(other.ename) && listed.html.includes("blabsy"));
  assert.equal((await visitor.send("/portal/platforms", { ename: "nobody" })).status, 422);
  assert.equal((await visitor.send(`/portal/platforms/${other.ename}/withdraw`)).status, 303);
  assert.ok(!(await visitor.open("/portal/platforms")).html.includes(other.ename));
  const stranger = await signIn(awareness, other);
  assert.doesNotMatch((await stranger.open(LIST)).html, /href="\/portal\/platforms"/);
  assert.equal((await stranger.open("/portal/platforms")).status, 403);
  assert.equal((await stranger.send("/portal/platforms", { ename: other.ename })).status, 403);
});
