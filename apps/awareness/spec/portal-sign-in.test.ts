import assert from "node:assert/strict";
import { test } from "node:test";
import { findShownSession, openPageVisitor } from "@dataspace/service-kit/testing/page-visitor";
import { signIn, walletAnswer } from "./support/portal-visitor.ts";
import { until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

const SIGN_IN = "/portal/sign-in";
const LIST = "/portal/subscriptions";

test("whoever is not signed in is led to sign in, whatever they ask for", async (t) => {
  const awareness = await startAwareness(t);
  const visitor = openPageVisitor(awareness.url);
  for (const path of [
    "/portal",
    "/portal/subscriptions",
    "/portal/subscriptions/new",
    `/portal/subscriptions/${crypto.randomUUID()}`,
  ]) {
    const { status, location } = await visitor.open(path);
    assert.deepEqual([status, location], [303, SIGN_IN], path);
  }
  assert.equal((await visitor.send("/portal/subscriptions", { targetUrl: awareness.endpoint.url })).location, SIGN_IN);
  assert.equal(awareness.endpoint.received.length, 0);
});

test("a wallet's signature signs in the browser that showed the code, and no other [S2 Browser binding]", async (t) => {
  const awareness = await startAwareness(t);
  const [person, other] = [await awareness.createPerson(), openPageVisitor(awareness.url)];
  const visitor = openPageVisitor(awareness.url);
  const session = findShownSession(await visitor.open(SIGN_IN));
  assert.match(session, /^[A-Za-z0-9_-]{43}$/);
  assert.equal(findShownSession(await visitor.open(SIGN_IN)), session, "the code stays while it is waited for");
  const { status, body } = await awareness.ask("/portal/callback", { body: await walletAnswer(person, session) });
  assert.deepEqual([status, body], [200, { signed: true }]);
  assert.notEqual(findShownSession(await other.open(SIGN_IN)), session);
  assert.equal((await other.open(LIST)).location, SIGN_IN);
  const taken = await visitor.open(SIGN_IN);
  assert.deepEqual([taken.status, taken.location], [303, "/portal"]);
  assert.ok((await visitor.open(LIST)).html.includes(person.ename), "the whole eName is on every page [L11]");
});

test("a code is answered once, within 5 minutes, by a key in force of its eName [S2 Single use]", async (t) => {
  let nowMs = Date.now();
  const awareness = await startAwareness(t, { nowMs: () => nowMs });
  const [person, stranger] = [await awareness.createPerson(), await awareness.createPerson()];
  const visitor = openPageVisitor(awareness.url);
  const answer = (body: unknown) => awareness.ask("/portal/callback", { body });
  const session = findShownSession(await visitor.open(SIGN_IN));
  const forged = { ...(await walletAnswer(stranger, session)), ename: person.ename };
  assert.deepEqual((await answer(forged)).code, "INVALID_SIGNATURE");
  const unknown = { ...(await walletAnswer(person, session)), ename: "@00000000-0000-4000-8000-00000000abcd" };
  assert.deepEqual((await answer(unknown)).code, "INVALID_SIGNATURE");
  assert.equal((await answer(await walletAnswer(person, session))).status, 200);
  const again = await answer(await walletAnswer(person, session));
  assert.deepEqual([again.status, again.code], [404, "SIGN_IN_OVER"]);
  assert.equal((await visitor.open(SIGN_IN)).status, 303);
  const late = openPageVisitor(awareness.url);
  const lateSession = findShownSession(await late.open(SIGN_IN));
  nowMs += 300_000;
  assert.equal((await answer(await walletAnswer(person, lateSession))).code, "SIGN_IN_OVER");
  assert.notEqual(findShownSession(await late.open(SIGN_IN)), lateSession, "and the page shows another");
  assert.equal((await answer(await walletAnswer(person, "a-session-nobody-asked-for"))).code, "SIGN_IN_OVER");
  for (const body of [
    {},
    [],
    { ename: "x", session, signature: "y" },
    { ename: person.ename, session, signature: "" },
  ]) {
    assert.equal((await answer(body)).code, "BAD_REQUEST", JSON.stringify(body));
  }
});

test("while 12,000 sign-ins wait, a new one is refused with a page, and one that waits goes on [decision L12]", async (t) => {
  const awareness = await startAwareness(t);
  const [person, waiting, late] = [
    await awareness.createPerson(),
    openPageVisitor(awareness.url),
    openPageVisitor(awareness.url),
  ];
  const session = findShownSession(await waiting.open(SIGN_IN));
  const flood = `insert into sign_in (session, expires_at)
                 select 's' || n, now() + interval '1 minute' from generate_series(2, 12000) n`;
  await awareness.database.query({ text: flood, values: [] });
  const refused = await late.open(SIGN_IN);
  assert.deepEqual([refused.status, refused.headers.get("content-type")], [503, "text/html; charset=utf-8"]);
  assert.match(refused.html, /TOO_MANY_SIGN_INS/);
  assert.equal((await awareness.ask("/portal/callback", { body: await walletAnswer(person, session) })).status, 200);
  assert.equal((await waiting.open(SIGN_IN)).location, "/portal");
  assert.equal((await late.open(SIGN_IN)).status, 200, "its place is free");
  await awareness.database.query({ text: "update sign_in set expires_at = now() - interval '1 minute'", values: [] });
  assert.equal((await openPageVisitor(awareness.url).open(SIGN_IN)).status, 200, "those that are over take no place");
});

test("a wallet on the same device leads back, and only the browser that asked is signed in by that [S2 Login flow]", async (t) => {
  const awareness = await startAwareness(t);
  const person = await awareness.createPerson();
  const visitor = openPageVisitor(awareness.url);
  const link = async (session: string) => `/deeplink-login?${new URLSearchParams(await walletAnswer(person, session))}`;
  const here = await visitor.open(await link(findShownSession(await visitor.open(SIGN_IN))));
  assert.equal(here.location, "/portal/signed", "the signature does not stay in the address");
  assert.match((await visitor.open("/portal/signed")).html, /You are signed in/);
  assert.equal((await visitor.open(LIST)).status, 200);
  const [waiting, elsewhere] = [openPageVisitor(awareness.url), openPageVisitor(awareness.url)];
  const there = await elsewhere.open(await link(findShownSession(await waiting.open(SIGN_IN))));
  assert.match(there.html, /Return to the browser/);
  assert.equal((await elsewhere.open(LIST)).location, SIGN_IN);
  assert.equal((await waiting.open(SIGN_IN)).location, "/portal");
  const broken = await waiting.open("/deeplink-login?ename=x");
  assert.deepEqual([broken.status, broken.headers.get("content-type")], [400, "text/html; charset=utf-8"]);
});

test("a visit ends by signing out, after 30 idle minutes, and after 8 hours", async (t) => {
  let nowMs = Date.now();
  const awareness = await startAwareness(t, { nowMs: () => nowMs });
  const person = await awareness.createPerson();
  const isIn = async (visitor: Awaited<ReturnType<typeof signIn>>) => (await visitor.open(LIST)).status === 200;
  const leaving = await signIn(awareness, person);
  assert.equal((await leaving.send("/portal/sign-out")).location, SIGN_IN);
  assert.equal(await isIn(leaving), false);
  const idle = await signIn(awareness, person);
  nowMs += 29 * 60_000;
  assert.equal(await isIn(idle), true);
  nowMs += 30 * 60_000;
  assert.equal(await isIn(idle), false);
  const busy = await signIn(awareness, person);
  for (let minutes = 0; minutes < 8 * 60 - 20; minutes += 20) {
    nowMs += 20 * 60_000;
    assert.equal(await isIn(busy), true, `after ${minutes} minutes`);
  }
  nowMs += 20 * 60_000;
  assert.equal(await isIn(busy), false);
});

test("cookies are out of reach of scripts and other sites, and bound to the host under https [L11]", async (t) => {
  for (const [publicUrl, prefix, end] of [
    [undefined, "", ""],
    ["https://awareness.example", "__Host-", "; Secure"],
  ] as const) {
    const awareness = await startAwareness(t, publicUrl === undefined ? {} : { publicUrl: () => publicUrl });
    const person = await awareness.createPerson();
    const visitor = openPageVisitor(awareness.url);
    const asked = await visitor.open(SIGN_IN);
    const ended = (line: string) => line.replace(/=[^;]{43}/, "=...");
    assert.deepEqual(asked.headers.getSetCookie().map(ended), [
      `${prefix}ds_awareness_sign_in=...; Max-Age=300; Path=/; HttpOnly${end}; SameSite=Lax`,
    ]);
    await awareness.ask("/portal/callback", { body: await walletAnswer(person, findShownSession(asked)) });
    const taken = await visitor.open(SIGN_IN);
    assert.deepEqual(taken.headers.getSetCookie().slice(1).map(ended), [
      `${prefix}ds_awareness=...; Max-Age=28800; Path=/; HttpOnly${end}; SameSite=Strict`,
    ]);
  }
});

test("the development stack's own consumer comes in by a button, from this machine alone; elsewhere there is none", async (t) => {
  const development = await startAwareness(t, { devConsumer: true });
  const visitor = openPageVisitor(development.url);
  assert.match((await visitor.open(SIGN_IN)).html, /Continue as dev/);
  assert.equal((await visitor.send("/portal/sign-in/dev", {}, { "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await visitor.send("/portal/sign-in/dev")).location, "/portal");
  assert.equal((await visitor.open(LIST)).status, 200);
  const production = openPageVisitor((await startAwareness(t)).url);
  assert.doesNotMatch((await production.open(SIGN_IN)).html, /Continue as dev/);
  assert.equal((await production.send("/portal/sign-in/dev")).status, 404);
});

test("expired sign-ins and visits are deleted, and others stay", async (t) => {
  let nowMs = Date.now();
  const awareness = await startAwareness(t, { nowMs: () => nowMs });
  const left = async (table: string) =>
    (await awareness.database.query({ text: `select from ${table}`, values: [] })).rowCount;
  await signIn(awareness, await awareness.createPerson());
  await openPageVisitor(awareness.url).open(SIGN_IN);
  nowMs += 7 * 3_600_000;
  await openPageVisitor(awareness.url).open(SIGN_IN);
  await signIn(awareness, await awareness.createPerson());
  assert.deepEqual([await left("sign_in"), await left("visit")], [2, 2]);
  nowMs += 3_600_000;
  await openPageVisitor(awareness.url).open(SIGN_IN);
  await startAwareness(t, { nowMs: () => nowMs, database: awareness.database });
  await until(async () => (await left("sign_in")) === 1 && (await left("visit")) === 1, "forgetting");
});
